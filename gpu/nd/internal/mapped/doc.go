// Package mapped makes device memory accessible in this process, for libraries that compute here and not in the device process. Both
// processes then use the same memory: pages of a memfd on the simulator, and on a GPU an allocation that the driver imports by its
// descriptor into the primary context of this process, which CUDA's runtime API, and so all its libraries, use.
package mapped
