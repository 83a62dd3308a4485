// Package gpuhost adds the GPU to the session process: it starts the device with the
// session, waits for it at the end of each cell, and does in the session process what
// magics ask for. Package magics is its counterpart in the kernel process.
package gpuhost
