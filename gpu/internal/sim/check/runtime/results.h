// Results of functions that are written to memory. g++ puts no call before such a store, so
// check/results.go does: one of gw_write1 to gw_write64, which finds the address in r11 and
// leaves all other registers as they are. gw_write0 is for as many words of 8 bytes as rcx says.
#pragma once

#include "registers.h"

#if defined(__x86_64__) && !defined(__clang__)

#define GW_WRITE(n)                                                                                                      \
    ".globl gw_write" #n "\n.type gw_write" #n ", @function\n"                                                           \
    "gw_write" #n ": pushq $" #n "\njmp gw_write_all\n.size gw_write" #n ", .-gw_write" #n "\n"

asm(".text\n.p2align 4\n"
    ".local gw_write_all\n.type gw_write_all, @function\n"
    "gw_write_all:\n" GW_SAVE
    "movq %r11, %rdi\nmovq 8(%rbp), %rsi\ntestq %rsi, %rsi\njnz 1f\nleaq (,%rcx,8), %rsi\n1:\n"
    "movq 16(%rbp), %rdx\ncall gw_wrote\n" GW_RESTORE
    "leaq 8(%rsp), %rsp\nret\n"
    ".size gw_write_all, .-gw_write_all\n"
    GW_WRITE(0) GW_WRITE(1) GW_WRITE(2) GW_WRITE(4) GW_WRITE(8) GW_WRITE(16) GW_WRITE(32) GW_WRITE(64));

extern "C" __attribute__((visibility("hidden"), used)) void gw_wrote(uint64_t a, uint64_t n, void *from) {
    gwsim::check::pieces<gwsim::check::Write>(a, n, from);
}

#endif
