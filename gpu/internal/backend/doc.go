// Package backend is the border between the device process and what runs its
// kernels: package driver (the CUDA driver API) or package sim (CUDA C++ on the CPU).
//
// Device is what both must have, in parts by what they are about, so that whoever needs one part can
// ask for that one. What only one of them has, or not every GPU, are interfaces of their own. Beside these, the package has
// the types of their arguments and the arithmetic on these that both need, such as occupancy. Both implementations pass
// the suite in backend/backendtest.
package backend
