// Package gpuload measures how busy the devices of a session are: GPUs by nvidia-smi, simulated ones by the processors that they use. It opens
// no device.
package gpuload
