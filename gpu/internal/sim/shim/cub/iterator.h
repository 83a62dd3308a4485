// Iterators that compute what they point to.
#pragma once
#include "thread.h"

namespace cub {
namespace detail {

// A Computed has what its subclass returns from at(i) as its i-th element.
template <class Self, class T> class Computed {
    const Self &self() const { return static_cast<const Self &>(*this); }

public:
    using value_type = T;
    using reference = T;
    using pointer = const T *;
    using difference_type = ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;
    using self_type = Self;
    ptrdiff_t offset = 0;

    T operator[](ptrdiff_t i) const { return self().at(offset + i); }
    T operator*() const { return (*this)[0]; }
    Self operator+(ptrdiff_t n) const {
        Self moved = self();
        moved.offset += n;
        return moved;
    }
    Self operator-(ptrdiff_t n) const { return *this + -n; }
    ptrdiff_t operator-(const Computed &o) const { return offset - o.offset; }
    Self &operator+=(ptrdiff_t n) { return offset += n, static_cast<Self &>(*this); }
    Self &operator-=(ptrdiff_t n) { return *this += -n; }
    Self &operator++() { return *this += 1; }
    Self operator++(int) { return ++*this - 1; }
    bool operator==(const Computed &o) const { return offset == o.offset; }
    bool operator!=(const Computed &o) const { return offset != o.offset; }
};

} // namespace detail

template <class T, class = ptrdiff_t> struct CountingInputIterator : detail::Computed<CountingInputIterator<T>, T> {
    T first;
    explicit CountingInputIterator(T first) : first(first) {}
    T at(ptrdiff_t i) const { return first + T(i); }
};

template <class T, class = ptrdiff_t> struct ConstantInputIterator : detail::Computed<ConstantInputIterator<T>, T> {
    T value;
    explicit ConstantInputIterator(T value, ptrdiff_t = 0) : value(value) {}
    T at(ptrdiff_t) const { return value; }
};

template <class T, class Change, class In, class = ptrdiff_t> struct TransformInputIterator : detail::Computed<TransformInputIterator<T, Change, In>, T> {
    In in;
    Change change;
    TransformInputIterator(In in, Change change) : in(in), change(change) {}
    T at(ptrdiff_t i) const { return change(in[i]); }
};

template <class In, class = ptrdiff_t, class T = typename std::iterator_traits<In>::value_type>
struct ArgIndexInputIterator : detail::Computed<ArgIndexInputIterator<In, ptrdiff_t, T>, KeyValuePair<ptrdiff_t, T>> {
    In in;
    explicit ArgIndexInputIterator(In in) : in(in) {}
    KeyValuePair<ptrdiff_t, T> at(ptrdiff_t i) const { return {i, in[i]}; }
};

template <CacheLoadModifier M, class T, class = ptrdiff_t> struct CacheModifiedInputIterator : detail::Computed<CacheModifiedInputIterator<M, T>, T> {
    const T *in;
    explicit CacheModifiedInputIterator(const T *in) : in(in) {}
    T at(ptrdiff_t i) const { return ThreadLoad<M>(in + i); }
};

} // namespace cub
