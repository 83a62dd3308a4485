// Package pjrt calls XLA's plugins: shared libraries with the interface PJRT (pjrt_c_api.h of OpenXLA, version 0.83; its structs say how
// large they are, so that other versions work with it as far as the interface allows).
//
// It has what package xla needs to run a program on one device: no C compiler, no collectives, no profiling. What is waited for is the
// caller's choice, since that is half of the time of a small program.
package pjrt
