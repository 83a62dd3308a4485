// Package lens records what the threads of a kernel do, and shows it as one picture with a time slider.
//
//	r, err := lens.Run(func() error { return sum.Launch(cfg, x, out) })
//	display.Show(r)
//
// A launch in Run is executed by the simulator, without the compiler's optimisation. Of the blocks that are chosen, each thread's lines, its
// accesses to memory with the values, and the barriers are kept. The picture has the source with the lines that run, the threads by warp,
// the memory with what is read and written, and the findings of check mode. It needs no other files: it works in exported pages, too. The
// magic %%lens does the same for the statements of a cell.
package lens
