// In place of Thrust's: its system for CUDA is the one for the host here.
#pragma once
#include <thrust/detail/config.h>
