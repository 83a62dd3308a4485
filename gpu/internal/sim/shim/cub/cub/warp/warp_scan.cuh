#include "../../warp.h"
