package memfd

import "syscall"

const memfdCreate = syscall.SYS_MEMFD_CREATE
