
// nd_element returns element k of a vector that is kept as words.
template <class T, int N> static __device__ __forceinline__ T nd_element(const nd_vector<unsigned, N> &words, int k) {
    const unsigned word = words.at[k * (int)sizeof(T) / 4] >> k * (int)sizeof(T) % 4 * 8;
    T element;
    memcpy(&element, &word, sizeof(T));
    return element;
}
