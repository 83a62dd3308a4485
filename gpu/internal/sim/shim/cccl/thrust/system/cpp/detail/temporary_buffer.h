// In place of Thrust's.
#pragma once
#include <thrust/system/detail/sequential/malloc_and_free.h>
