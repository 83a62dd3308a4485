#include "../common.h"
