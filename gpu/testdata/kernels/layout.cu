// How values lie in memory: unions, fields of bits, alignment, enumerations, constants of a function, and copies of bytes.
//
//	x = uint[256] bits 117
//	packed = uint[256] zero
//	looked = uint[256] zero
//	rows = int[512] zero
//	launch fields<<<2, 128>>>(x, packed)
//	launch overlay<<<2, 128>>>(x, looked)
//	launch copies<<<2, 128>>>(x, rows)
enum class Colour : unsigned char { red = 3, green, blue = 9 };

struct Packed {
	unsigned low : 5;
	int middle : 7;
	unsigned : 4;
	unsigned high : 16;
};

__global__ void fields(const unsigned *x, unsigned *packed) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Packed p = {};
	p.low = x[i];
	p.middle = int(x[i] >> 9);
	p.high = x[i] >> 13;
	p.high++;
	packed[i] = p.low + 100 * (p.middle + 64) + 20000 * (p.high % 1000) + sizeof p;
}

union Word {
	unsigned bits;
	float number;
	unsigned char bytes[4];
	unsigned short halves[2];
};

__global__ void overlay(const unsigned *x, unsigned *looked) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Word w;
	w.bits = x[i];
	unsigned r = w.bytes[1] * 7 + w.halves[1];
	w.number = float(i);
	looked[i] = r * 31 + (w.bits >> 20);
}

struct alignas(16) Row {
	int at[3];
	Colour colour;
};

__global__ void copies(const unsigned *x, int *rows) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	static const int weights[4] = {1, 10, 100, 1000};
	Row a, b;
	memset(&a, 0, sizeof a);
	a.at[0] = x[i] % 8;
	a.at[i % 2 + 1] = x[i] >> 8 & 7;
	a.colour = i % 3 == 0 ? Colour::red : i % 3 == 1 ? Colour::green : Colour::blue;
	memcpy(&b, &a, sizeof a);
	int sum = static_cast<int>(b.colour) * weights[3];
	for (int k = 0; k < 3; k++)
		sum += b.at[k] * weights[k];
	rows[2 * i] = sum;
	rows[2 * i + 1] = int(sizeof(Row)) + int(alignof(Row)) + (reinterpret_cast<size_t>(&a) % 16 == 0);
}
