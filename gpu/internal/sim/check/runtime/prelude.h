// Stands after the shim's prelude in programs of check mode.
#pragma once

// A place in the module's shared memory on the calling thread. Each file of a program has it.
extern "C" GW_API GW_UNWATCHED __attribute__((weak)) char *gw_tls() { return const_cast<char *>(&gwsim::touched); }
