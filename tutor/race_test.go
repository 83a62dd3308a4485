//go:build race

package tutor

// simulations is the number of students of each kind. Under the race detector, which makes them ten times slower, there are fewer.
const simulations = 100
