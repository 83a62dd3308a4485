package ring

// sysGetCPU is a number that package syscall lacks here.
const sysGetCPU = 309
