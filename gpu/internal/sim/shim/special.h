// Functions of real numbers that the C library lacks.
#pragma once
#include <cmath>

namespace gwsim {
constexpr long double piL = 3.14159265358979323846264338327950288L;
constexpr long double sqrtPiL = 1.77245385090551602729816748334114518L;

// The sine and the cosine of pi times x. They are exactly 0 where they ought to be.
inline double sinPi(double x) {
    double r = remainder(x, 2.0);
    if (fabs(r) > 0.5) r = copysign(1.0, r) - r;
    return r == 0 ? copysign(0.0, x) : sin((double)piL * r);
}
inline double cosPi(double x) {
    const double r = fabs(remainder(x, 2.0));
    return r < 0.25 ? cos((double)piL * r) : sin((double)piL * (0.5 - r));
}

// The scaled complementary error function, exp(x*x) * erfc(x). Where the product would overflow, its asymptotic series: Digital Library of
// Mathematical Functions, 7.12.1.
inline long double erfcX(long double x) {
    if (x <= 26) return std::exp(x * x) * std::erfc(x);
    long double sum = 1, term = 1;
    for (int i = 1; i < 8; i++) sum += term *= -(2 * i - 1) / (2 * x * x);
    return sum / (x * sqrtPiL);
}

// The inverse of erfc. The start is that of the quantile function of the normal distribution in Abramowitz and Stegun, 26.2.23, with an error below
// 4.5e-4, and each turn of Halley's method triples the number of right digits.
inline long double erfInverse(long double x);
inline long double erfcInverse(long double p) {
    if (!(p >= 0 && p <= 2)) return std::nan("");
    if (p == 0 || p == 2) return p == 0 ? INFINITY : -INFINITY;
    if (p > 0.5L) return erfInverse(1 - p);
    const long double t = std::sqrt(-2 * std::log(p / 2));
    long double y = (t - (2.515517L + t * (0.802853L + t * 0.010328L)) / (1 + t * (1.432788L + t * (0.189269L + t * 0.001308L)))) / std::sqrt(2.0L);
    for (int i = 0; i < 4; i++) {
        const long double step = (p - std::erfc(y)) * sqrtPiL / 2 * std::exp(y * y);
        y -= step / (1 + y * step);
    }
    return y;
}

inline long double erfInverse(long double x) {
    if (std::fabs(x) > 0.5L) return x < 0 ? -erfcInverse(1 + x) : erfcInverse(1 - x);
    long double y = x * sqrtPiL / 2;
    for (int i = 0; i < 5; i++) {
        const long double step = (std::erf(y) - x) * sqrtPiL / 2 * std::exp(y * y);
        y -= step / (1 + y * step);
    }
    return y;
}

// The modified Bessel function of the first kind, of order n, by its series: Digital Library of Mathematical Functions, 10.25.2.
inline long double besselI(int n, long double x) {
    if (!std::isfinite(x)) return n == 0 ? std::fabs(x) : x;
    const long double q = x * x / 4;
    long double term = n == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; std::fabs(term) > std::fabs(sum) * 1e-22L && std::isfinite(sum); k++) {
        term *= q / (k * (long double)(k + n));
        sum += term;
    }
    return sum;
}

// The length of a vector, also where squares overflow or vanish.
inline float length(int n, const float *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (double)x[i] * x[i];
    return (float)sqrt(sum);
}
inline double length(int n, const double *x) {
    double sum = 0, most = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    if (sum > 1e-280 && sum < 1e300) return sqrt(sum);
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    if (most == 0 || std::isinf(most)) return most;
    sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] / most * (x[i] / most);
    return most * sqrt(sum);
}
} // namespace gwsim
