#include "../../thread.h"
