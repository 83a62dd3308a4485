// CCCL decides here what the device is able to do.
#include "../../../../cccl_hide.h"
#include_next <cuda/std/__cccl/cuda_capabilities.h>
#include "../../../../cccl_show.h"
