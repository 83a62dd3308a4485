// What program.h and the headers that it includes declare. It is compiled once for all programs, which are linked to the object. The object stands
// before a program's own, so that its variables are made before the program's, and are destroyed after them.
#include "program.h"

#include "runtime_api.cpp"
#include "runtime_capture.cpp"
#include "runtime_memory.cpp"
#include "runtime_copies.cpp"
#include "runtime_pool.cpp"
#include "array_api.cpp"
#include "texture_api.cpp"
#include "runtime_graph.cpp"
#include "runtime_edges.cpp"
#include "runtime_conditional.cpp"
#include "runtime_nodes.cpp"
#include "runtime_batch.cpp"
#include "runtime_external.cpp"
#include "runtime_entry.cpp"
#include "runtime_ipc.cpp"

namespace gwrt {

// Output is shown line by line, so that it stands in order with that of standard error, and none is lost in a crash.
void begin(Ask toGo, int devices) {
    ask = toGo;
    deviceCount = devices;
    setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
}

void construct(const Constructor *first, size_t bytes, int n, char **args) {
    for (const Constructor *c = first; c != first + bytes / sizeof *first; c++)
        (*c)(n, args, environ);
}

// atEnd comes after all destructors of the program, since it is registered before their objects are made. Check mode's
// report may change the exit status.
static void atEnd() {
    if (ask != nullptr && ask(End, nullptr) != 0) {
        fflush(nullptr);
        _exit(1);
    }
}
__attribute__((constructor(101))) static void registerEnd() { atexit(atEnd); }

} // namespace gwrt
