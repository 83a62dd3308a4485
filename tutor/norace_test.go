//go:build !race

package tutor

// simulations is the number of students of each kind.
const simulations = 1000
