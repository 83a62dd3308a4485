// Package heap divides chunks of device memory into buffers. It only manages addresses: the caller allocates and releases the
// chunks, and determines when the device has finished using a buffer.
package heap
