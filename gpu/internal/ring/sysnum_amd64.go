package ring

// sysMemfdCreate is missing from package syscall on this architecture.
const sysMemfdCreate = 319
