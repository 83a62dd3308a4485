#include "../../device.h"
