// Assembly in kernels: logic of three operands, bytes and fields of words, and a sum of 128 bits with its carry.
//
//	a = uint[512] bits 114
//	b = uint[512] bits 115
//	logic = uint[256] zero
//	fields = uint[256] zero
//	sums = uint[512] zero
//	lanes = uint[256] zero
//	launch combine<<<2, 128>>>(a, b, logic)
//	launch extract<<<2, 128>>>(a, b, fields)
//	launch carry<<<1, 128>>>(a, b, sums)
//	launch place<<<2, 128>>>(lanes)
__global__ void combine(const unsigned *a, const unsigned *b, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned x = a[i], y = b[i], z = a[i + 256], r, s;
	asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(r) : "r"(x), "r"(y), "r"(z)); // the bit that two have
	asm("{\n\t.reg .b32 t;\n\tprmt.b32 t, %1, %2, 0x3715;\n\tshf.l.wrap.b32 %0, t, %1, 5;\n\t}" : "=r"(s) : "r"(x), "r"(y));
	out[i] = r * 31 + s;
}

__global__ void extract(const unsigned *a, const unsigned *b, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned field, put;
	int with_sign;
	asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(a[i]), "r"(i % 24), "r"(7));
	asm("bfe.s32 %0, %1, %2, %3;" : "=r"(with_sign) : "r"(a[i]), "r"(i % 24), "r"(7));
	asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(put) : "r"(a[i]), "r"(b[i]), "r"(i % 20), "r"(9));
	out[i] = put * 31 + field * 7 + with_sign;
}

__global__ void carry(const unsigned *a, const unsigned *b, unsigned *out) {
	int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	asm("add.cc.u32 %0, %4, %8;\n\taddc.cc.u32 %1, %5, %9;\n\taddc.cc.u32 %2, %6, %10;\n\taddc.u32 %3, %7, %11;"
	    : "=r"(out[i]), "=r"(out[i + 1]), "=r"(out[i + 2]), "=r"(out[i + 3])
	    : "r"(a[i]), "r"(a[i + 1]), "r"(a[i + 2]), "r"(a[i + 3]), "r"(b[i]), "r"(b[i + 1]), "r"(b[i + 2]), "r"(b[i + 3]));
}

__global__ void place(unsigned *out) {
	unsigned lane, threads, block, below;
	asm("mov.u32 %0, %%laneid;" : "=r"(lane));
	asm("mov.u32 %0, %%ntid.x;" : "=r"(threads));
	asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
	asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
	out[blockIdx.x * blockDim.x + threadIdx.x] = lane + 100 * __popc(below) + 10000 * block + 100000 * threads;
}
