#pragma once
#include "cuda_runtime.h"
#include "../library.h"
