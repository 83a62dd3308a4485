// Reductions of segments, which are given by the indices where they begin and end.
#pragma once

namespace cub {

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begin, class End, class Op, class T>
    static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, size_t segments, Begin begin, End end, Op op, T init, cudaStream_t s = nullptr) {
        return detail::run("DeviceSegmentedReduce::Reduce", temp, bytes, 0, s, [=](void *) {
            for (size_t k = 0; k < segments; k++)
                out[k] = begin[k] < end[k] ? T(op(init, detail::fold<T>(in, begin[k], end[k] - begin[k], op))) : init;
        });
    }
    template <class In, class Out, class Begin, class End> static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, size_t segments, Begin begin, End end, cudaStream_t s = nullptr) {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Sum(), detail::ValueOf<In>{}, s);
    }
    template <class In, class Out, class Begin, class End> static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, size_t segments, Begin begin, End end, cudaStream_t s = nullptr) {
        using Limits = std::numeric_limits<detail::ValueOf<In>>;
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Min(), Limits::has_infinity ? Limits::infinity() : Limits::max(), s);
    }
    template <class In, class Out, class Begin, class End> static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, size_t segments, Begin begin, End end, cudaStream_t s = nullptr) {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Max(), std::numeric_limits<detail::ValueOf<In>>::lowest(), s);
    }
};

} // namespace cub
