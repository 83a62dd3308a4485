#include "../warp.h"
