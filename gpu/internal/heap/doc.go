// Package heap divides chunks of device memory into buffers. It is bookkeeping on
// addresses alone: making and releasing chunks, and knowing when a buffer is no longer
// in use by the device, are the caller's.
package heap
