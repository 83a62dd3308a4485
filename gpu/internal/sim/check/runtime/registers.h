// Assembly that saves all registers but r11 and restores them, for functions that the compiler does not know to be called.
#pragma once

#if defined(__x86_64__)

#if defined(__AVX512F__)
#define GW_VECTOR(i) "vmovups %zmm" #i ", 64*" #i "(%rsp)\n"
#define GW_VECTOR_BACK(i) "vmovups 64*" #i "(%rsp), %zmm" #i "\n"
#define GW_UPPER(x) x(16) x(17) x(18) x(19) x(20) x(21) x(22) x(23) x(24) x(25) x(26) x(27) x(28) x(29) x(30) x(31)
#elif defined(__AVX__)
#define GW_VECTOR(i) "vmovups %ymm" #i ", 64*" #i "(%rsp)\n"
#define GW_VECTOR_BACK(i) "vmovups 64*" #i "(%rsp), %ymm" #i "\n"
#define GW_UPPER(x)
#else
#define GW_VECTOR(i) "movups %xmm" #i ", 64*" #i "(%rsp)\n"
#define GW_VECTOR_BACK(i) "movups 64*" #i "(%rsp), %xmm" #i "\n"
#define GW_UPPER(x)
#endif
#define GW_VECTORS(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11) x(12) x(13) x(14) x(15) GW_UPPER(x)

#if defined(__AVX512BW__)
#define GW_MASK(i) "kmovq %k" #i ", 2048+8*" #i "(%rsp)\n"
#define GW_MASK_BACK(i) "kmovq 2048+8*" #i "(%rsp), %k" #i "\n"
#define GW_MASKS(x) x(1) x(2) x(3) x(4) x(5) x(6) x(7)
#else
#define GW_MASKS(x)
#endif

// GW_SAVE stores them below the caller's rbp, which is on top of the stack, and GW_RESTORE ends with the stack as it was before GW_SAVE.
#define GW_SAVE                                                                                                          \
    "pushq %rbp\nmovq %rsp, %rbp\npushfq\n"                                                                              \
    "pushq %rax\npushq %rcx\npushq %rdx\npushq %rsi\npushq %rdi\npushq %r8\npushq %r9\npushq %r10\n"                     \
    "subq $2112, %rsp\nandq $-64, %rsp\ncld\n" GW_VECTORS(GW_VECTOR) GW_MASKS(GW_MASK)
#define GW_RESTORE                                                                                                       \
    GW_VECTORS(GW_VECTOR_BACK) GW_MASKS(GW_MASK_BACK)                                                                    \
    "leaq -72(%rbp), %rsp\n"                                                                                            \
    "popq %r10\npopq %r9\npopq %r8\npopq %rdi\npopq %rsi\npopq %rdx\npopq %rcx\npopq %rax\n"                           \
    "popfq\npopq %rbp\n"

#endif
