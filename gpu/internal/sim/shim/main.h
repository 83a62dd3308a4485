// How the process calls the main of a program, whatever its parameters. It stands after the file that has main, which may be one
// of host code alone.
#pragma once

#include <unistd.h>

namespace gwrt {

inline int callMain(int (*f)(), int, char **) { return f(); }
inline int callMain(int (*f)(int, char **), int n, char **args) { return f(n, args); }
inline int callMain(int (*f)(int, const char **), int n, char **args) { return f(n, const_cast<const char **>(args)); }
inline int callMain(int (*f)(int, const char *const *), int n, char **args) { return f(n, args); }
inline int callMain(int (*f)(int, char *const *), int n, char **args) { return f(n, args); }
inline int callMain(int (*f)(int, char **, char **), int n, char **args) { return f(n, args, environ); }

} // namespace gwrt

extern "C" __attribute__((visibility("hidden"))) int gw_call_main(int n, char **args);
