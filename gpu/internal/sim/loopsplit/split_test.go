package loopsplit

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

func TestSplits(t *testing.T) {
	tests := []struct {
		name, source string
		// reason is part of why the kernel cannot be split; "" if it must be.
		reason string
		has    []string // in the text, white space aside
	}{
		{"nothing", "__global__ void k() {}", "none", nil},
		{"plain", "__global__ void k(int *x) { x[0] = 1; __syncthreads(); x[1] = 2; }", "", []string{"x[0]=1;}}}{GW_EACH_THREAD"}},
		{
			"kept value", "__global__ void k(int *x) { const int v = x[threadIdx.x]; __syncthreads(); x[0] = v; }", "",
			[]string{"int gw_1_v[1024]", "auto v=gw_1_v[gw_row+gw_x];"},
		},
		{"value of one region", "__global__ void k(int *x) { int v = x[0]; x[1] = v; __syncthreads(); }", "", []string{"{int v=x[0];x[1]=v;}"}},
		{
			"index", "__global__ void k(int *x, int n) { int i = threadIdx.x * n, j = i + 1; __syncthreads(); x[j] = 1; }", "",
			[]string{"int i=threadIdx.x*n;int j=i+1;{x[gwsim::lanes::line<"},
		},
		{
			"index from what changes", "__global__ void k(int *x) { int s = 4; int i = threadIdx.x * s; s = 2; __syncthreads(); x[i] = s; }", "",
			[]string{"int s=4;", "int gw_2_i[1024]"},
		},
		{
			"uniform loop", "__global__ void k(int *x) { for (int s = blockDim.x / 2; s > 0; s >>= 1) { x[s] = 1; __syncthreads(); } }", "",
			[]string{"for(int s=blockDim.x/2;s>0;s>>=1){{GW_EACH_THREAD"},
		},
		{"while loop", "__global__ void k(int *x, int n) { while (n > 1) { __syncthreads(); x[n] = 1; n /= 2; } }", "", []string{"while(n>1)", "n/=2;}"}},
		{"do loop", "__global__ void k(int *x, int n) { do { x[0] = n; __syncthreads(); n--; } while (n); }", "", []string{"}while(n);"}},
		{"uniform branch", "__global__ void k(int *x) { if (blockIdx.x == 1) { x[0] = 1; __syncthreads(); } else x[1] = 1; }", "", []string{"if(blockIdx.x==1){", "else{"}},
		{"changed parameter", "__global__ void k(int *x, int n) { n += x[0]; __syncthreads(); x[1] = n; }", "", []string{"gw_1_n"}},
		{"early return", "__global__ void k(int *x, int n) { if (threadIdx.x >= n) return; __syncthreads(); x[0] = 1; }", "", []string{"gw_ended", "goto gw_end_1"}},
		{"return of all", "__global__ void k(int *x, int n) { if (blockIdx.x >= n) return; __syncthreads(); x[0] = 1; }", "", []string{"if(blockIdx.x>=n)return;"}},
		{"break of all", "__global__ void k(int *x, int n) { for (;;) { if (n == 0) break; n--; __syncthreads(); } }", "", []string{"if(n==0)break;"}},
		{
			"template", "template <class V, int N> __global__ void k(V *x) { __shared__ V s[N]; for (int i = 0; i < N; i++) { s[i] = x[i]; __syncthreads(); } }", "",
			[]string{"template<class V,int N>static inline void gwsim_split_k(V*x)"},
		},
		{
			"group", "namespace cg = cooperative_groups; __global__ void k(int *x) { auto b = cg::this_thread_block(); x[b.thread_rank()] = 1; b.sync(); cg::sync(b); }", "",
			[]string{"::threadIdx=threadIdx;{x[b.thread_rank()]"},
		},
		{"function of the source", "__device__ int f(int i) { return i + threadIdx.x; } __global__ void k(int *x) { x[0] = f(1); __syncthreads(); }", "", []string{"::threadIdx=threadIdx;"}},
		{"macro that names a variable", "#define AT(i) x[(i) * n]\n__global__ void k(int *x) { int n = x[0]; __syncthreads(); AT(2) = 1; }", "", []string{"auto n=gw_1_n"}},
		{"launch bounds", "__global__ void __launch_bounds__(256) k(int *x) { int v = x[0]; __syncthreads(); x[1] = v; }", "", []string{"gw_1_v[256]"}},
		{"array", "__global__ void k(int *x) { int v[4] = {1}; __syncthreads(); x[1] = v[2]; }", "", []string{"int gw_1_v[1024][4];", "int gw_value[4]={1}"}},
		{
			"change within a region", "__global__ void k(int *x) { int u = 1; x[0] = u; u += 2; x[1] = u; __syncthreads(); x[2] = u; }", "",
			[]string{"int u=1;", "const auto gw_1_u=u;", "auto u=gw_1_u;{x[0]=u;u+=2;x[1]=u;}}}u+=2;"},
		},
		{
			"exit within a region", "__global__ void k(int *x, int n) { x[0] = 1; if (n) return; x[1] = 2; __syncthreads(); x[2] = 3; }", "",
			[]string{"{x[0]=1;if(n)goto gw_end_1;x[1]=2;}gw_end_1:;}}if(n)return;"},
		},
		{"function by value", "__device__ int f(int i) { return i; } __global__ void k(int *x) { for (int i = 0; i < 9; i++) { x[f(i)] = 1; __syncthreads(); } }", "", nil},
		{"shared array's name", "__global__ void k(int *x) { __shared__ int s[64]; int *p = s + threadIdx.x; __syncthreads(); *p = 1; }", "", []string{"int*p=s+threadIdx.x;{*p=1;}"}},

		{"divergent branch with a barrier in its else", "__global__ void k(int *x) { if (threadIdx.x < 3) __syncthreads(); else __syncthreads(); }", "threads may differ", nil},
		{"divergent loop in the last branch", "__global__ void k(int *x) { if (threadIdx.x < 3) while (x[threadIdx.x]) __syncthreads(); }", "threads may differ", nil},
		{
			"last branch", "__global__ void k(int *x, int n) { if (threadIdx.x < n) { x[0] = 1; __syncthreads(); x[1] = 2; } else x[2] = 3; }", "",
			[]string{"if(!(threadIdx.x<n)){x[2]=3;{gw_ended[", "{x[0]=1;}"},
		},
		{"last branch in the last branch", "__global__ void k(int *x, int n) { if (threadIdx.x < n) { x[0] = 1; if (x[threadIdx.x]) __syncthreads(); } }", "", []string{"if(!(threadIdx.x<n))", "if(!(x["}},
		{
			"statements behind the last branch", "__global__ void k(int *x, int n) { if (threadIdx.x < n) { x[0] = 1; __syncthreads(); x[1] = 2; } else x[2] = 3; x[4] = 5; }", "",
			[]string{"if(!(threadIdx.x<n)){x[2]=3;x[4]=5;{gw_ended[", "{x[1]=2;}", "{x[4]=5;}"},
		},
		{"a barrier behind a branch", "__global__ void k(int *x, int n) { if (threadIdx.x < n) { x[0] = 1; __syncthreads(); } __syncthreads(); }", "threads may differ", nil},
		{"a shared variable behind a branch", "__global__ void k(int *x, int n) { if (threadIdx.x < n) __syncthreads(); __shared__ int s; s = 1; x[0] = s; }", "threads may differ", nil},
		{"a branch in a branch with statements behind it", "__global__ void k(int *x, int n) { if (threadIdx.x < n) { int y = 1; if (x[threadIdx.x]) __syncthreads(); x[1] = y; } x[2] = 3; }", "threads may differ", nil},
		{"last branch of all threads", "__global__ void k(int *x, int n) { if (n > 3) { __syncthreads(); x[0] = 1; } }", "", []string{"if(n>3){"}},
		{
			"size of a group", "namespace cg = cooperative_groups; __device__ void f(cg::thread_block g, int *x) { for (int i = g.size() / 2; i > 0; i /= 2) { x[g.thread_rank()] += i; g.sync(); } } __global__ void k(int *x) { cg::thread_block b = cg::this_thread_block(); f(b, x); for (unsigned i = b.group_dim().x; i > b.group_index().x; i--) b.sync(); }", "",
			[]string{"=b.size()/2;", "b.group_dim().x"},
		},
		{"CUB by a template parameter", "template <class R> __global__ void k(int *x) { __shared__ typename R::TempStorage room; x[threadIdx.x] = R(room).Sum(x[threadIdx.x]); }", "TempStorage", nil},
		{"rank in a group", "namespace cg = cooperative_groups; __global__ void k(int *x) { cg::thread_block b = cg::this_thread_block(); for (int i = b.thread_rank(); i > 0; i /= 2) b.sync(); }", "may differ", nil},
		{"size of something else", "struct B { int n; __device__ int size() { return n; } }; __global__ void k(B b) { for (int i = b.size(); i > 0; i /= 2) __syncthreads(); }", "may differ", nil},
		{
			"loop over a shared variable", "__global__ void k(int *x) { __shared__ int more; while (more > 0) { x[0] = 1; __syncthreads(); } }", "",
			[]string{"while(more>0){"},
		},
		{
			"exit by shared memory", "__global__ void k(int *x) { __shared__ int s[2][3]; for (int i = 0; i < 9; i++) { x[threadIdx.x] = 1; if (!s[1][i]) break; x[0] = 2; __syncthreads(); } }", "",
			[]string{"x[gw_at_1+gw_step]=1;}}}}if(!s[1][i])break;{GW_EACH"},
		},
		{"branch on shared memory", "struct S { int n; }; __global__ void k(int *x) { __shared__ S s; if (s.n) { x[0] = 1; __syncthreads(); } else __syncthreads(); }", "", []string{"if(s.n){"}},
		{"loop over memory that a shared pointer leads to", "__global__ void k() { __shared__ int *p; while (p[0]) __syncthreads(); }", "may differ", nil},
		{"loop over an element of each thread", "__global__ void k() { __shared__ int s[64]; while (s[threadIdx.x]) __syncthreads(); }", "may differ", nil},
		{"loop over a shared variable of a cluster", "__global__ void k(int *x) { __shared__ int more; while (more) { __syncthreads(); map_shared_rank(x); } }", "may differ", nil},
		{
			"number from shared memory", "__global__ void k(int *x) { __shared__ int n; int m = n; __syncthreads(); for (int i = 0; i < m; i++) __syncthreads(); }", "may differ", nil,
		},
		{
			"vote of a while loop", "__global__ void k(int *x) { int left = x[threadIdx.x]; while (__syncthreads_or(left > 0)) left--; }", "",
			[]string{"while(true){", "if(!(gw_w"},
		},
		{"vote of a for loop", "__global__ void k(int *x) { for (int i = 0; __syncthreads_count(x[threadIdx.x] > i) > 3; i++) { if (i == 2) continue; x[0] = i; } }", "", []string{"for(inti=0;true;i++){"}},
		{"vote of a do loop", "__global__ void k(int *x) { int i = 0; do { i++; } while (__syncthreads_and(x[threadIdx.x] > i)); }", "", []string{"do{", "while(gw_again"}},
		{"vote of a do loop that continues", "__global__ void k(int *x) { int i = 0; do { if (i++ == 2) continue; } while (__syncthreads_and(x[threadIdx.x] > i)); }", "stands where", nil},
		{"type of a library", "typedef cub::BlockReduce<int, 128> R; __global__ void k(int *x) { x[0] = R().Sum(x[1]); }", "R stands where", nil},
		{"template of a library", "template <class T> using R = cub::BlockReduce<T, 128>; __global__ void k(int *x) { x[0] = R<int>().Sum(x[1]); }", "R stands where", nil},
		{"namespace of a library", "using namespace cub; __global__ void k(int *x) { x[0] = BlockReduce<int, 128>().Sum(x[1]); }", "BlockReduce stands where", nil},
		{"method with a library's name", "struct A { float *cuda(); void f() { g(cuda()); } }; void g(A *a) { h(a->cuda()); } __global__ void k(int *x) { __syncthreads(); }", "", nil},
		{"waits of host code", "struct A { void f() { thrust::sort(); } static int s; }; int g() { cuda::wait(); } auto p = g; __global__ void k(int *x) { __syncthreads(); }", "", nil},
		{"method for devices", "struct A { int n; __device__ void f() { __syncthreads(); } }; __global__ void k(int *x) { x[0] = 1; __syncthreads(); }", "a method", nil},
		{"method by a macro", "struct A { int n; BOTH void f() { __syncthreads(); } }; __global__ void k(int *x) { x[0] = 1; __syncthreads(); }", "a method", nil},
		{"loop that depends on the thread", "__global__ void k(int *x) { for (int i = threadIdx.x; i < 9; i++) __syncthreads(); }", "may differ among threads", nil},
		{"loop that depends on memory", "__global__ void k(int *x) { while (x[0]) __syncthreads(); }", "threads may differ", nil},
		{"loop over what the body changes", "__global__ void k(int *x) { for (int i = 0; i < 9; i++) { if (x[i]) i++; __syncthreads(); } }", "may differ among threads", nil},
		{"loop over what a function may change", "__device__ void f(int &i); __global__ void k(int *x) { for (int i = 0; i < 9; i++) { f(i); __syncthreads(); } }", "may differ", nil},
		{"loop over what a reference changes", "__global__ void k(int *x) { int i = 0; for (; i < 9; i++) { int &j = i; j = x[0]; __syncthreads(); } }", "may differ", nil},
		{"loop over memory behind a cast", "template <class T> __global__ void k(T *x) { for (int i = 0; i < (T)*x; i++) __syncthreads(); }", "threads may differ", nil},
		{"loop over a min of the source", "__device__ int min(int a, int b) { return a + b + threadIdx.x; } __global__ void k(int *x, int n) { for (int i = 0; i < min(n, 4); i++) __syncthreads(); }", "threads may differ", nil},
		{"loop over what is changed in parentheses", "__global__ void k(int *x) { for (int i = 0; i < 9; i++) { if (x[i]) (i)++; __syncthreads(); } }", "may differ", nil},
		{"loop over what is changed by its address", "__global__ void k(int *x) { for (int i = 0; i < 9; i++) { *(int *)&i = x[i]; __syncthreads(); } }", "may differ", nil},
		{"loop over what an index macro reads", "#define AT(i) x[i]\n__global__ void k(int *x) { for (int i = 0; i < 9; i++) { AT(i) = 1; __syncthreads(); } }", "", []string{"for(int i=0;i<9;i++){{GW_EACH_THREAD"}},
		{"loop over what a macro writes", "#define THE(i) i\n__global__ void k(int *x) { for (int i = 0; i < 9; i++) { THE(i) = 1; __syncthreads(); } }", "may differ", nil},
		{"range loop", "__global__ void k(int *x) { int v[2]; for (int i : v) __syncthreads(); }", "a barrier in a for", nil},
		{"condition with a variable", "__global__ void k(int *x) { if (int i = 3) __syncthreads(); }", "declares a variable", nil},
		{"namespace in the kernel", "__global__ void k(int *x) { namespace cg = cooperative_groups; auto b = cg::this_thread_block(); x[0] = 1; b.sync(); x[1] = 1; }", "", []string{"{GW_SPLIT_BEGIN namespace cg=cooperative_groups;"}},
		{"what is not understood", "__global__ void k(int *x) { int u = 1, w = 2; u <=> w; __syncthreads(); x[0] = u + w; }", "", []string{"int gw_1_u[1024]", "int gw_2_w[1024]"}},
		{"break of one", "__global__ void k(int *x) { for (int i = 0; i < 9; i++) { if (x[threadIdx.x]) break; __syncthreads(); } }", "single threads may leave", nil},
		{"barrier in a function", "__device__ void f(int *y) { y[1] = 2; __syncthreads(); y[3] = 4; } __global__ void k(int *x) { f(x); }", "", []string{"y_gw1[1]=2;}}}{GW_EACH_THREAD"}},
		{"barrier in a method", "struct s { __device__ void f() { __syncthreads(); } }; __global__ void k(int *x) { s().f(); __syncthreads(); }", "operator or a method", nil},
		{"barrier in a macro", "#define M(x) __syncthreads(); x\n__global__ void k(int *x) { M(x[0] = 1); __syncthreads(); }", "M stands", nil},
		{"shuffle", "__global__ void k(int *x) { int v = __shfl_sync(~0u, 1, 0); __syncthreads(); x[0] = v; }", "", []string{"gwsim::lanes::shuffle<gwsim::lanes::Index>("}},
		{"count", "__global__ void k(int *x) { if (__syncthreads_count(x[0]) > 3) __syncthreads(); }", "", []string{"int gw_w1;", "if(gw_w1>3)"}},
		{"shuffle in an expression", "__global__ void k(int *x) { int v = x[threadIdx.x]; x[0] = v + 2 * __shfl_down_sync(0xffffffff, v, 4); }", "", []string{"gwsim::lanes::each(gw_1_v),gwsim::lanes::same(4),32,", "x[0]=v+2*gw_w1;"}},
		{"shuffle that may not come", "__global__ void k(int *x) { x[0] = x[1] && __any_sync(0xffffffff, 1); }", "__any_sync stands", nil},
		{"shuffle beside other effects", "__global__ void k(int *x) { int i = 0; x[i++] = __shfl_sync(0xffffffff, i, 0); }", "__shfl_sync stands", nil},
		{"sum in a function", "template <class T> __device__ T sum(T v) { for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o); return v; } __global__ void k(float *x) { float v = x[0]; x[1] = sum(v); }", "", []string{"float gw_value=(v);", "v_gw1+=gw_w"}},
		{"function of a value", "template <class T> __device__ T sum(T v) { return v + __shfl_xor_sync(0xffffffff, v, 1); } __global__ void k(float *x) { x[1] = sum(x[0] + 1); }", "", []string{"using gw_t_gw_p2=", "gw_t_gw_p2 gw_r3"}},
		{"function that returns early", "__device__ int f(int v) { if (v) return 1; return __any_sync(0xffffffff, v); } __global__ void k(int *x) { x[1] = f(x[0]); }", "before its end", nil},
		{"function that calls itself", "__device__ int f(int v) { return __any_sync(0xffffffff, v) + f(v); } __global__ void k(int *x) { x[1] = f(x[0]); }", "nested too deep", nil},
		{"function with a name of the kernel", "constexpr int n = 3; __device__ int f(int v) { return __any_sync(0xffffffff, v + n); } __global__ void k(int *x, int n) { x[1] = f(n); }", "name n in it", nil},
		{"branch of one warp", "__global__ void k(int *x) { int v = x[0]; if (threadIdx.x / 32 == 0) v += __shfl_xor_sync(0xffffffff, v, 1); x[1] = v; }", "", []string{"gwsim::lanes::choose(gw_on_1,gwsim::lanes::each(", "GW_EACH_LANE(gw_on_1)"}},
		{"operations in both branches", "__global__ void k(int *x) { if (x[0]) __syncwarp(); else __syncwarp(); }", "both branches", nil},
		{"variable that some threads change", "__global__ void k(int *x) { int u = 1; if (x[0]) { __syncwarp(); u = 2; } for (int i = 0; i < u; i++) __syncthreads(); }", "threads may differ", nil},
		{"barrier by its number", "__global__ void k(int *x) { x[0] = 1; __barrier_sync_count(0, 32); x[1] = 2; }", "__barrier_sync_count stands", nil},
		{"barrier of some threads", "__global__ void k(int *x) { if (x[0] > __shfl_sync(0xffffffff, x[1], 0)) __syncthreads(); x[2] = 1; __syncthreads(); }", "threads may differ", nil},
		{"tile", "namespace cg = cooperative_groups; __global__ void k(int *x) { auto t = cg::tiled_partition<8>(cg::this_thread_block()); x[t.thread_rank()] = t.shfl_down(x[0], 2) + cg::reduce(t, x[1], cg::plus<int>()); }", "", []string{"x[gw_tile_rank(8,threadIdx,blockDim)]", "gwsim::lanes::fold("}},
		{"tile in other hands", "namespace cg = cooperative_groups; __global__ void k(int *x) { auto t = cg::tiled_partition<8>(cg::this_thread_block()); auto u = t; u.sync(); }", "group t is not supported", nil},
		{"lanes that came", "namespace cg = cooperative_groups; __global__ void k(int *x) { if (x[threadIdx.x]) { auto g = cg::coalesced_threads(); x[0] = g.shfl(x[1], 0) + g.size(); } }", "", []string{"gwsim::lanes::active(", "__popc(gw_m1)"}},
		{"guard", "__global__ void k(int *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 1; }", "", []string{"gwsim::lanes::below(gw_first,gw_count,i,n)", "x[gw_at_1+gw_step]=1;"}},
		{"guard of a return", "__global__ void k(int *x, int n) { int i = threadIdx.x; if (i >= n || i < 1) return; x[i] = 1; }", "", []string{"gwsim::lanes::below(gw_first,gw_count,i,n)", "gwsim::lanes::from(gw_first,gw_count,i,1)"}},
		{"subscript that a local hides", "__global__ void k(int *x) { int i = threadIdx.x; for (int i = 0; i < 3; i++) x[i] = 1; x[i] = 2; }", "", []string{"x[i]=1;", "x[i]=2;"}},
		{"guard of the block", "__global__ void k(int *x, int n) { if (n > 3) x[0] = 1; }", "", []string{"GW_EACH_THREAD{GW_THREAD_BEGIN{if(n>3)x[0]=1;"}},
		{"guard of one thread", "__global__ void k(int *x) { x[1] = 2; if (threadIdx.x == 0) x[0] = 1; }", "", []string{"x[1]=2;}}}{GW_EACH_PIECE", "gwsim::lanes::upTo(gw_first,gw_count,threadIdx.x,0)"}},
		{"guard of columns and rows", "__global__ void k(int *x, int n) { int i = threadIdx.x, j = threadIdx.y; if (i < n && j > 2) x[j * n + i] = 1; }", "", []string{"gwsim::lanes::below(gw_first,gw_count,i,n);returngwsim::lanes::Alike{", "gw_alike_from(gw_from);gw_count=gw_alike.whole;"}},
		{"guard of one lane", "__global__ void k(int *x) { int lane = threadIdx.x % warpSize; if (lane == 31) x[0] = 1; }", "", []string{"gwsim::lanes::every<'%'>(gw_first,gw_by,threadIdx.x,warpSize,31)", "GW_SOME_OF_PIECE(gw_by)"}},
		{"subscript of a warp", "__global__ void k(int *x) { __shared__ int s[32]; int warp = threadIdx.x >> 5; x[threadIdx.x] = s[warp]; }", "", []string{"gwsim::lanes::within<'>'>(gw_count,threadIdx.x,5)"}},
		{"subscript with a loop's variable", "__global__ void k(int *x) { int s = 0; for (int i = 0; i < 9; i++) s += x[threadIdx.x + i]; x[0] = s; }", "", []string{"x[gwsim::lanes::part<decltype(threadIdx.x+i),true>(gw_at_1+gw_step,threadIdx.x)+i]"}},
		{"such a variable that changes", "__global__ void k(int *x) { int s = 0; for (int i = 0; i < 9; i++) s += x[threadIdx.x + i--]; x[0] = s; }", "", []string{"gwsim::lanes::part<decltype(threadIdx.x+i--),false>"}},
		{"tile of rows", "__global__ void k(int *x) { for (int j = threadIdx.y; j < 9; j += blockDim.y) for (int i = threadIdx.x; i < 9; i += blockDim.x) x[j * 9 + i] = 1; }", "", []string{"GW_EACH_ROW{GW_ROW_BEGIN for(int j=threadIdx.y;", "GW_EACH_PIECE_OF_ROW"}},
		{"change after a guard", "__global__ void k(int *x, int n) { for (int d = 1; d < 9;) { if (threadIdx.x < d) x[d] = 1; d *= 2; __syncthreads(); } }", "", []string{"gwsim::lanes::below(gw_first,gw_count,threadIdx.x,d)", "}d*=2;"}},
		{"stride of the grid", "__global__ void k(int *x, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = 1; }", "", []string{"for(;gw_i<gw_limit;gw_i+=gw_by)", "x[gw_at_1+gw_step]=1;"}},
		{"stride that changes", "__global__ void k(int *x, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) if (x[i]) i++; }", "", []string{"GW_EACH_THREAD"}},
		{"stride that ends early", "__global__ void k(int *x, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) if (x[i]) break; }", "", []string{"GW_EACH_THREAD"}},
		{"atomic on shared memory", "__global__ void k(int *x) { __shared__ int s[32]; atomicAdd(&s[x[0]], 1); atomicAdd(&x[0], 1); }", "", []string{"gwsim::lanes::atomicAdd(&s[", "; atomicAdd(&x[0],1)"}},
		{"lambda", "__global__ void k(int *x) { auto f = [&](int i) { x[i] = 1; }; f(1); __syncthreads(); }", "not understood", nil},
		{"function as an argument of a template", "__device__ void one(int *x) { x[threadIdx.x] = 1; } template <void (*f)(int *)> __global__ void k(int *x) { f(x); } void go(int *x) { k<one><<<1, 32>>>(x); }", "", []string{"::threadIdx=threadIdx;"}},
		{"barrier in such a function", "__device__ void one(int *x) { __syncthreads(); } template <void (*f)(int *)> __global__ void k(int *x) { f(x); } void go(int *x) { k<one><<<1, 32>>>(x); }", "passed on", nil},
		{"barrier in one that a macro names", "__device__ void one(int *x) { __syncthreads(); }\n#define ALL(F) F(one)\ntemplate <class F> __global__ void k(int *x, F f) { f(x); }", "passed on", nil},
		{"lambda as an argument", "template <class F> __global__ void k(int *x, F f) { f(x); } void go(int *x) { k<<<1, 32>>>(x, [=] __host__ __device__(int *x) { x[threadIdx.x] = 1; }); }", "", []string{"::threadIdx=threadIdx;"}},
		{"barrier in such a lambda", "template <class F> __global__ void k(int *x, F f) { f(x); } void go(int *x) { k<<<1, 32>>>(x, [=] __device__(int *x) { __syncthreads(); }); }", "passed on", nil},
		{"function that is called", "template <int n> __device__ int one(int x) { __syncthreads(); return n; } __device__ int two(int *x) { return one<3>(x[0]); } __global__ void k(int *x) { x[0] = 1; }", "", nil},
		{"goto", "__global__ void k(int *x) { if (x[0]) goto end; __syncthreads(); end: x[1] = 1; }", "goto", nil},
		{"switch", "__global__ void k(int *x, int n) { switch (n) { case 1: __syncthreads(); } }", "switch", nil},
		{"reference across", "__global__ void k(int *x) { int &r = x[threadIdx.x]; __syncthreads(); r = 1; }", "reference r", nil},
		{"auto across", "__global__ void k(int *x) { auto v = x[threadIdx.x]; __syncthreads(); x[0] = v; }", "", []string{"return x[threadIdx.x];};alignas(64)std::decay_t<decltype(gw_type_1())>gw_1_v[1024];"}},
		{"two of one name", "__global__ void k(int *x, int n) { { int n = x[0]; __syncthreads(); x[1] = n; } }", "called n", nil},
		{"unknown condition", "#if FOO(3)\n#define A\n__global__ void k(int *x) { __syncthreads(); }\n#endif", "condition of the preprocessor", nil},
		{"specialisation", "template <class V> __global__ void k(V *x) { __syncthreads(); } template <> __global__ void k<int>(int *x) { x[0] = 1; }", "specialisations", nil},
		{"grid", "namespace cg = cooperative_groups; __global__ void k(int *x) { cg::this_grid().sync(); __syncthreads(); }", "this_grid stands", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := cudac.Parse(tt.source)
			if err != nil {
				t.Fatal(err)
			}
			all := Splits(f, "", "cell.cu", nil)
			if tt.reason == "none" {
				if len(all) != 0 {
					t.Errorf("got %+v", all)
				}
				return
			}
			if len(all) != 1 {
				t.Fatalf("got %d kernels with barriers", len(all))
			}
			sp := all[0]
			if (tt.reason == "") != (sp.Reason == "") || !strings.Contains(sp.Reason, tt.reason) || (sp.Text == "") != (sp.Reason != "") {
				t.Fatalf("reason %q, want %q", sp.Reason, tt.reason)
			}
			text := squeeze(sp.Text)
			for _, part := range tt.has {
				if !strings.Contains(text, squeeze(part)) {
					t.Errorf("%q is missing in\n%s", part, sp.Text)
				}
			}
			if text != "" && !strings.HasSuffix(strings.TrimSpace(tt.source[:sp.End]), "}") {
				t.Errorf("the kernel ends at %q", tt.source[:sp.End])
			}
		})
	}
}

// squeeze takes out white space and line markers.
func squeeze(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "# ") {
			b.WriteString(strings.Join(strings.Fields(line), ""))
		}
	}
	return b.String()
}
