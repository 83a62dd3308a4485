// Package trace has what the threads of some blocks of a launch did, step by step: the lines that they ran, and their accesses to memory
// with the values. It makes that of the events which the simulator's check mode records, and puts the steps of a block in an order in which
// a GPU could have run them. It neither records nor draws: packages check of the simulator and gpu/lens do.
package trace
