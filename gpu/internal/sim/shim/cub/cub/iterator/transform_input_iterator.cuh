#include "../../iterator.h"
