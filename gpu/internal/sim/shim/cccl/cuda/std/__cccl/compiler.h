// CCCL decides here what it is compiled by.
#include "../../../../cccl_hide.h"
#include_next <cuda/std/__cccl/compiler.h>
#include "../../../../cccl_show.h"
