// NVTX's types for C++. Nobody looks at what they say here.
#pragma once

#include "nvToolsExt.h"
#include <string>
#include <utility>

namespace nvtx3 {

struct rgb {
    using component_type = uint8_t;
    constexpr rgb(component_type r, component_type g, component_type b) noexcept : red(r), green(g), blue(b) {}
    component_type red, green, blue;
};
struct argb : rgb {
    constexpr argb(component_type a, component_type r, component_type g, component_type b) noexcept : rgb(r, g, b), alpha(a) {}
    component_type alpha;
};
class color {
public:
    using value_type = uint32_t;
    constexpr explicit color(value_type code) noexcept : value(code) {}
    constexpr color(argb c) noexcept : value(value_type(c.alpha) << 24 | c.red << 16 | c.green << 8 | c.blue) {}
    constexpr color(rgb c) noexcept : color(argb(255, c.red, c.green, c.blue)) {}
    constexpr value_type get_value() const noexcept { return value; }

private:
    value_type value;
};

struct domain {
    struct global {};
    template <class D = global> static const domain &get() noexcept {
        static const domain only;
        return only;
    }
    operator nvtxDomainHandle_t() const noexcept { return nullptr; }
};

class category {
public:
    using id_type = uint32_t;
    constexpr explicit category(id_type id) noexcept : id(id) {}
    constexpr id_type get_id() const noexcept { return id; }

private:
    id_type id;
};
template <class D> class named_category_in : public category {
public:
    template <class C> static const named_category_in &get() noexcept {
        static const named_category_in one(C::name, C::id);
        return one;
    }
    template <class Name> named_category_in(id_type id, const Name *) noexcept : category(id) {}
    template <class Name> named_category_in(const Name *, id_type id) noexcept : category(id) {}
};
using named_category = named_category_in<domain::global>;

template <class D> class registered_string_in {
public:
    template <class M> static const registered_string_in &get() noexcept {
        static const registered_string_in one(M::message);
        return one;
    }
    explicit registered_string_in(const char *) noexcept {}
    explicit registered_string_in(const std::string &) noexcept {}
    explicit registered_string_in(const wchar_t *) noexcept {}
    explicit registered_string_in(const std::wstring &) noexcept {}
    nvtxStringHandle_t get_handle() const noexcept { return nullptr; }
};
using registered_string = registered_string_in<domain::global>;

class message {
public:
    message(const char *) noexcept {}
    message(const std::string &) noexcept {}
    message(const wchar_t *) noexcept {}
    message(const std::wstring &) noexcept {}
    message(nvtxStringHandle_t) noexcept {}
    template <class D> message(const registered_string_in<D> &) noexcept {}
};

class payload {
public:
    explicit payload(int64_t) noexcept {}
    explicit payload(int32_t) noexcept {}
    explicit payload(uint64_t) noexcept {}
    explicit payload(uint32_t) noexcept {}
    explicit payload(float) noexcept {}
    explicit payload(double) noexcept {}
};

class event_attributes {
public:
    event_attributes() noexcept {}
    // The attributes come in any order.
    template <class... Rest> explicit event_attributes(const category &, const Rest &...rest) noexcept : event_attributes(rest...) {}
    template <class... Rest> explicit event_attributes(const color &, const Rest &...rest) noexcept : event_attributes(rest...) {}
    template <class... Rest> explicit event_attributes(const payload &, const Rest &...rest) noexcept : event_attributes(rest...) {}
    template <class... Rest> explicit event_attributes(const message &, const Rest &...rest) noexcept : event_attributes(rest...) {}
};

template <class D> class scoped_range_in {
public:
    explicit scoped_range_in(const event_attributes &) noexcept {}
    template <class First, class... Rest> explicit scoped_range_in(const First &first, const Rest &...rest) noexcept : scoped_range_in(event_attributes(first, rest...)) {}
    scoped_range_in() noexcept {}
    void *operator new(size_t) = delete;
    scoped_range_in(const scoped_range_in &) = delete;
    scoped_range_in &operator=(const scoped_range_in &) = delete;
    ~scoped_range_in() noexcept {} // so that a range is no unused variable
};
using scoped_range = scoped_range_in<domain::global>;
template <class D> using thread_range_in = scoped_range_in<D>;
using thread_range = scoped_range;

struct range_handle {
    using value_type = nvtxRangeId_t;
    value_type value = 0;
    constexpr explicit operator bool() const noexcept { return value != 0; }
    constexpr value_type get_value() const noexcept { return value; }
};
template <class D, class... A> range_handle start_range_in(const A &...a) noexcept { return (void)event_attributes(a...), range_handle{1}; }
template <class... A> range_handle start_range(const A &...a) noexcept { return start_range_in<domain::global>(a...); }
template <class D> void end_range_in(range_handle) noexcept {}
inline void end_range(range_handle) noexcept {}
template <class D, class... A> void mark_in(const A &...a) noexcept { (void)event_attributes(a...); }
template <class... A> void mark(const A &...a) noexcept { mark_in<domain::global>(a...); }

template <class D = domain::global> class unique_range_in {
public:
    template <class... A> explicit unique_range_in(const A &...a) noexcept : open(start_range_in<D>(a...)) {}
    unique_range_in(unique_range_in &&from) noexcept : open(from.open) { from.open = {}; }
    unique_range_in &operator=(unique_range_in &&from) noexcept {
        std::swap(open, from.open);
        return *this;
    }
    ~unique_range_in() noexcept {}

private:
    range_handle open;
};
using unique_range = unique_range_in<>;

} // namespace nvtx3

#define NVTX3_FUNC_RANGE_IN(D) const ::nvtx3::scoped_range_in<D> nvtx3_range__(__func__)
#define NVTX3_FUNC_RANGE() NVTX3_FUNC_RANGE_IN(::nvtx3::domain::global)
#define NVTX3_FUNC_RANGE_IF_IN(D, condition) \
    const ::nvtx3::scoped_range_in<D> nvtx3_range__(__func__); \
    (void)(condition)
#define NVTX3_FUNC_RANGE_IF(condition) NVTX3_FUNC_RANGE_IF_IN(::nvtx3::domain::global, condition)
