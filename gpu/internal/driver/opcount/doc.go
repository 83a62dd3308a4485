// Package opcount adds counters of floating-point operations to PTX. The results of the program do not change; each thread adds
// its counts to a variable at its end. GPUs have no counters that distinguish sums from products, and on some GPUs the metrics
// with the names that NVIDIA's tools use for such counts are 0 in CUPTI.
package opcount
