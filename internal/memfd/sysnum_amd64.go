package memfd

// memfdCreate is missing in package syscall for this architecture.
const memfdCreate = 319
