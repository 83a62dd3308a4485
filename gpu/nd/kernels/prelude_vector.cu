
template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };
