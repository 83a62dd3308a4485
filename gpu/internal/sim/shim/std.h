// CUDA's C++ library is the host's here.
#pragma once

namespace cuda {
namespace std {
using namespace ::std;
} // namespace std
} // namespace cuda
