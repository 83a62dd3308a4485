// Stands after the shim's prelude in programs of check mode.
#pragma once

// A place in the module's shared memory on the calling thread.
extern "C" GW_API GW_UNWATCHED char *gw_tls() { return const_cast<char *>(&gwsim::touched); }
