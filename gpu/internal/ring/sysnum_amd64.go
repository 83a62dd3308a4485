package ring

// sysMemfdCreate is missing in package syscall for this architecture.
const sysMemfdCreate = 319
