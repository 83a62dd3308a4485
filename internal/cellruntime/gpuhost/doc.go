// Package gpuhost adds the GPU to the session process: it starts the device with the session,
// waits for it at the end of each cell, and handles the requests of magics. Package magics is its
// counterpart in the kernel process.
package gpuhost
