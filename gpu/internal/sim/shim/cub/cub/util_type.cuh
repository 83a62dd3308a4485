#include "../traits.h"
#include "../device.h"
