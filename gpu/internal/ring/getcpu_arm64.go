package ring

import "syscall"

const sysGetCPU = syscall.SYS_GETCPU
