// Control that is no plain loop: a machine with a switch, jumps to labels, cases that fall through, and a loop cut into a switch.
//
//	x = int[256] small 118
//	ran = int[256] zero
//	jumped = int[256] zero
//	copied = int[256] zero
//	launch machine<<<2, 128>>>(x, ran)
//	launch jump<<<2, 128>>>(x, jumped)
//	launch copy<<<16, 1>>>(x, copied)
enum Code { Push, Add, Multiply, Swap, Less, JumpIf, Stop };
__constant__ int code[] = {Push, 3, Multiply, Push, 7, Swap, Add, Less, 40, JumpIf, 0, Stop};

__global__ void __launch_bounds__(128, 2) machine(const int *x, int *ran) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, stack[8], top = 0, at = 0, steps = 0;
	stack[top++] = x[i] + 9;
	while (steps++ < 100) {
		switch (code[at++]) {
		case Push: stack[top++] = code[at++]; break;
		case Add: top--; stack[top - 1] += stack[top]; break;
		case Multiply: top--; stack[top - 1] *= stack[top]; break;
		case Swap: { int v = stack[top - 1]; stack[top - 1] = stack[top - 2]; stack[top - 2] = v; break; }
		case Less: stack[top] = stack[top - 1] < code[at++]; top++; break;
		case JumpIf: at = stack[--top] ? code[at] : at + 1; break;
		default: goto done;
		}
	}
done:
	ran[i] = stack[0] * 100 + steps;
}

__global__ void jump(const int *x, int *jumped) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i], n = 0;
again:
	if (n == 9)
		goto out;
	switch (v & 3) {
	case 0: v += 5; [[fallthrough]];
	case 1: v *= 3; [[fallthrough]];
	case 2: v -= 2; break;
	default: v /= 2;
	}
	n++;
	if (v < 1000)
		goto again;
out:
	jumped[i] = v * 10 + n;
}

__global__ void copy(const int *x, int *copied) {
	const int *from = x + 16 * blockIdx.x;
	int *to = copied + 16 * blockIdx.x, count = blockIdx.x + 1, rounds = (count + 3) / 4;
	switch (count % 4) {
	case 0: do { *to++ = *from++ + 1; [[fallthrough]];
	case 3: *to++ = *from++ + 1; [[fallthrough]];
	case 2: *to++ = *from++ + 1; [[fallthrough]];
	case 1: *to++ = *from++ + 1;
		} while (--rounds > 0);
	}
}
