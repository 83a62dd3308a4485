// What the scheduler (../../shim/runtime.cpp) tells check mode.
#pragma once

#include <stdint.h>

namespace gwsim {
namespace observe {

// What a failure of the launch is about, if it is not a fault.
enum Defect { DivergentBarrier, Deadlock, WarpMask, Assertion, Trap };

// blockBegins and blockEnds are called on the worker's thread, with blockIdx set.
void blockBegins();
void blockEnds();
// threadRuns says that from now on accesses are those of another thread.
void threadRuns(int thread);
// barrierReleased says that the threads of the block have come together; all is false if
// some of them have ended before. from is where the kernel has called.
void barrierReleased(const char *name, int line, const void *from, bool all);
// warpReleased says that lanes of the running warp have come together; all of its live ones,
// or only some.
void warpReleased(bool all);
// shuffled says that lanes of a warp have got each other's values, by the function of that name. It may change what they get.
void shuffled(int warp, const char *name);
// lanesEnded says that lanes of a warp execute what all 32 must, and that others have ended.
void lanesEnded(int warp);
// printed says that the kernel prints a text. It returns false if that is to be left out.
bool printed(const char *text, size_t n);
// lasts says that a thread does what cannot be taken back: it allocates memory, or launches a kernel.
void lasts();
// about comes before the failure that it describes, faulted before that of a signal.
void about(Defect, int line, const void *from);
void faulted(const void *context);
void failed(const char *text);
// The blocks of a gang take turns, so that all is the same every time. turnEnds and turnBegins
// stand around what other blocks do meanwhile; thread is the one that goes on. gangMet says
// that all blocks have come together, at a barrier or between two gangs.
constexpr bool inTurn = true;
void turnEnds();
void turnBegins(int thread);
void gangMet(bool between);

} // namespace observe
} // namespace gwsim
