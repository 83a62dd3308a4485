// assert of a kernel fails the launch and names the thread. As in C, including this file
// again after defining NDEBUG changes the macro.
#ifndef GOPHERWARP_SIM
#include_next <assert.h>
#else
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : ::gwsim::assertFailed(#condition, __FILE__, __LINE__, __func__))
#endif
#endif
