// Package backend is the small interface between the device process and what runs its
// kernels: package driver (the CUDA driver API) or package sim (CUDA C++ on the CPU).
//
// It holds types only. Both implementations pass the suite in backend/backendtest.
package backend
