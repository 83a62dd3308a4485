// What stands before each file of a program of several files: a header of its own, so that there is a precompiled one.
#pragma once

#define GW_SEVERAL 1
#include "program.h"
