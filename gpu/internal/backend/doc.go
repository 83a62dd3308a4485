// Package backend is the interface between the device process and the packages that run its kernels: driver (the CUDA driver API)
// and sim (CUDA C++ on the CPU).
//
// Device has the methods that both implement, as an interface for each subject (Memory, Programs, …), so that callers can take
// only those they need. Methods that only one of the packages, or not every GPU, has are in interfaces of their own. The package
// also has the types of the arguments, and calculations with them that both packages need, such as occupancy. Both pass the tests
// in backend/backendtest.
package backend
