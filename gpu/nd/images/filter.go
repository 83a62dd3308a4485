package images

import (
	"fmt"
	"math"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Border selects the values that filters use outside a picture.
type Border int32

// The borders, for a row a b c d.
const (
	Reflect Border = iota // d c b a | a b c d | d c b a
	Nearest               // a a a a | a b c d | d d d d
	Wrap                  // a b c d | a b c d | a b c d
	Zero                  // 0 0 0 0 | a b c d | 0 0 0 0
)

// Correlate returns, for each pixel and channel, the sum of the surrounding pixels multiplied by the weights (rows, columns), whose
// center is at the pixel.
func Correlate[T Pixel](a *nd.Array[T], weights *nd.Array[float32], border Border) *nd.Array[T] {
	rows, cols := window("Correlate", weights)
	return correlate[T]("Correlate", a, weights, rows/2, cols/2, border)
}

// Convolve returns Correlate with the weights rotated by 180°.
func Convolve[T Pixel](a *nd.Array[T], weights *nd.Array[float32], border Border) *nd.Array[T] {
	rows, cols := window("Convolve", weights)
	return correlate[T]("Convolve", a, weights.Flip(), (rows-1)/2, (cols-1)/2, border)
}

func window(op string, weights *nd.Array[float32]) (rows, cols int) {
	s := weights.Shape()
	if len(s) != 2 || s[0] == 0 || s[1] == 0 {
		fail(op, "the weights have shape %v: want rows and columns", s)
	}
	return s[0], s[1]
}

// GaussianBlur returns the weighted mean of the pixels around each pixel, with weights of a Gaussian of standard deviation sigma, in
// pixels, cut off at 4 sigma.
func GaussianBlur[T Pixel](a *nd.Array[T], sigma float64) *nd.Array[T] {
	const op = "GaussianBlur"
	if !(sigma >= 0 && sigma <= 1000) {
		fail(op, "the standard deviation is %v: want 0 to 1000 pixels", sigma)
	}
	radius := int(4*sigma + 0.5)
	if radius == 0 {
		return a
	}
	bell := make([]float64, 2*radius+1)
	sum := 0.0
	for i := range bell {
		x := float64(i-radius) / sigma
		bell[i] = math.Exp(-x * x / 2)
		sum += bell[i]
	}
	weights := make([]float32, len(bell))
	for i, v := range bell {
		weights[i] = float32(v / sum)
	}
	w := nd.FromSlice(weights, 1, len(weights))
	across := correlate[float32](op, a, w, 0, radius, Reflect)
	return correlate[T](op, across, w.T(), radius, 0, Reflect)
}

// Sobel returns the Sobel derivative along an axis: 0 is downward, 1 is to the right.
func Sobel[T Pixel](a *nd.Array[T], axis int) *nd.Array[float32] {
	w := nd.FromSlice([]float32{-1, 0, 1, -2, 0, 2, -1, 0, 1}, 3, 3)
	switch axis {
	case 0:
		w = w.T()
	case 1:
	default:
		fail("Sobel", "axis %d of a picture: want 0 (downwards) or 1 (to the right)", axis)
	}
	return correlate[float32]("Sobel", a, w, 1, 1, Reflect)
}

// Edges returns the magnitude of the gradient: the square root of the sum of squares of both Sobel derivatives.
func Edges[T Pixel](a *nd.Array[T]) *nd.Array[float32] { return nd.Hypot(Sobel(a, 0), Sobel(a, 1)) }

// largestMedian is the largest window of Median: the most that a thread can sort.
const largestMedian = 11

// Median returns, for each pixel and channel, the median of a square window around it. The side of the window is an odd number of pixels
// up to 11.
func Median[T Pixel](a *nd.Array[T], side int) *nd.Array[T] {
	const op = "Median"
	if side < 1 || side > largestMedian || side%2 == 0 {
		fail(op, "a window of %d pixels: want an odd number from 1 to %d", side, largestMedian)
	}
	return launch[T](op, a, a.Shape(), nd.Zeros[float32](1), side, side, side/2, side/2, int(Reflect))
}

// Interpolation selects how Resize computes pixels.
type Interpolation int

// The interpolations.
const (
	NearestPixel Interpolation = iota // the nearest one
	Linear                            // bilinear: the mean of the four around it, weighted by distance
)

// Resize returns the picture with another height and width. Pixels are squares, of which the centres are compared. To make a picture much
// smaller, blur it first.
func Resize[T Pixel](a *nd.Array[T], height, width int, by Interpolation) *nd.Array[T] {
	const op = "Resize"
	h, w, _ := size(op, a)
	if height < 0 || width < 0 || (h == 0 || w == 0) && height > 0 && width > 0 {
		fail(op, "a picture of %d × %d pixels cannot become one of %d × %d", w, h, width, height)
	}
	shape := a.Shape()
	shape[0], shape[1] = height, width
	return launch[T](op, a, shape, nd.Zeros[float32](1), h, w, int(by), 0, 0)
}

func correlate[To, T Pixel](op string, a *nd.Array[T], weights *nd.Array[float32], row, col int, border Border) *nd.Array[To] {
	rows, cols := window(op, weights)
	return launch[To](op, a, a.Shape(), weights.Copy(), rows, cols, row, col, int(border))
}

// launch runs a kernel that computes each element of a picture of that shape.
func launch[To, T Pixel](op string, a *nd.Array[T], shape []int, weights *nd.Array[float32], rows, cols, row, col, border int) *nd.Array[To] {
	_, _, channels := size(op, a)
	x := a
	if !a.Contiguous() {
		x = a.Copy()
	}
	out := nd.Empty[To](shape...)
	if out.Size() == 0 {
		return out
	}
	s := a.Shape()
	k := kernels[program{bodyOf(op), a.DType(), out.DType()}]
	err := k.Launch(gpu.For(out.Size(), 256), out, x, weights, s[0], s[1], channels, shape[0], shape[1], rows, cols, row, col, border)
	if err != nil {
		panic(err)
	}
	return out
}

// program has everything that the text of a kernel depends on.
type program struct {
	body     string
	from, to nd.DType
}

func bodyOf(op string) string {
	switch op {
	case "Median", "Resize":
		return op
	}
	return "Correlate"
}

// kernels are all possible kernels. Each is compiled when it is first needed.
var kernels = func() map[program]*nd.RawKernel {
	all := map[program]*nd.RawKernel{}
	names := map[nd.DType]string{nd.Uint8: "unsigned char", nd.F32: "float"}
	for body, text := range bodies {
		for from := range names {
			for to := range names {
				name := strings.ToLower(body)
				source := fmt.Sprintf(frame, names[from], names[to], largestMedian*largestMedian, name, text)
				all[program{body, from, to}] = nd.NewRawKernel(source, name)
			}
		}
	}
	return all
}()

const frame = `
typedef %s From;
typedef %s To;
static __device__ __forceinline__ void put(unsigned char &to, float v) { to = (unsigned char)(v >= 0 ? fminf(rintf(v), 255) : 0); }
static __device__ __forceinline__ void put(float &to, float v) { to = v; }

// The place that stands for i on a side of n pixels, or -1.
static __device__ __forceinline__ int inside(int i, int n, int border) {
    if (i >= 0 && i < n)
        return i;
    if (border == 3)
        return -1;
    if (border == 1)
        return i < 0 ? 0 : n - 1;
    int period = border == 0 ? 2 * n : n;
    i %%= period;
    if (i < 0)
        i += period;
    return i < n ? i : period - 1 - i;
}

struct picture {
    const From *at;
    int h, w, channels, c, border;
    __device__ __forceinline__ float operator()(int y, int x) const {
        y = inside(y, h, border);
        x = inside(x, w, border);
        return y < 0 || x < 0 ? 0 : (float)at[((long long)y * w + x) * channels + c];
    }
};
const int most = %d;

extern "C" __global__ void __launch_bounds__(256) %s(To *out, const From *in, const float *weights, int h, int w, int channels,
                                                     int height, int width, int rows, int cols, int row, int col, int border) {
    long long i = blockIdx.x * 256ll + threadIdx.x;
    if (i >= (long long)height * width * channels)
        return;
    const int c = (int)(i %% channels), x = (int)(i / channels %% width), y = (int)(i / channels / width);
    const picture p{in, h, w, channels, c, border};
    float v = 0;
%s
    put(out[i], v);
}
`

var bodies = map[string]string{
	"Correlate": `
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < cols; k++)
            v += weights[r * cols + k] * p(y + r - row, x + k - col);
`,
	"Median": `
    float list[most];
    int n = 0;
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < cols; k++) {
            float next = p(y + r - row, x + k - col);
            int at = n++;
            for (; at > 0 && list[at - 1] > next; at--)
                list[at] = list[at - 1];
            list[at] = next;
        }
    v = list[n / 2];
`,
	"Resize": `
    const float sy = (y + 0.5f) * ((float)h / height), sx = (x + 0.5f) * ((float)w / width);
    if (row == 0) {
        v = p(min((int)sy, h - 1), min((int)sx, w - 1));
    } else {
        const float fy = fminf(fmaxf(sy - 0.5f, 0), h - 1), fx = fminf(fmaxf(sx - 0.5f, 0), w - 1);
        const int y0 = (int)fy, x0 = (int)fx, y1 = min(y0 + 1, h - 1), x1 = min(x0 + 1, w - 1);
        const float dy = fy - y0, dx = fx - x0;
        v = (1 - dy) * ((1 - dx) * p(y0, x0) + dx * p(y0, x1)) + dy * ((1 - dx) * p(y1, x0) + dx * p(y1, x1));
    }
`,
}
