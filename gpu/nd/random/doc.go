// Package random fills arrays with random numbers, with the names of NumPy's Generator.
//
//	rng := random.New(42)
//	x := random.Normal[float32](rng, 0, 1, 1000, 3) // mean, standard deviation, shape
//	dice := random.Integers(rng, 1, 7, 100)         // 1 to 6
//
// # Reproducibility
//
// Numbers come from a counter-based generator: Philox 4×32 with 10 rounds (Salmon, Moraes, Dror and Shaw, 2011) makes four random words
// of a key, which is the seed, and a position. So a number depends on the seed, on how many requests the generator had before, on the
// type, and on the number's index, and on nothing else: a GPU, the simulator and plain Go (Stream) give the same bits, for any number of
// threads. That holds for floats too, because their transformations consist of operations that IEEE 754 defines to the last bit. They are
// other numbers than NumPy's and CuPy's for the same seed.
//
// Arrays are made on the current device. An invalid request (a negative standard deviation, say) panics with an *nd.Error, as in package
// nd.
package random
