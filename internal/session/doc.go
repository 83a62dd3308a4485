// Package session runs Go cells: it turns each cell into a package, compiles that to a
// plugin and has the session process load it, so that variables, goroutines and open
// files live on from cell to cell.
//
// The way of a cell:
//
//	split.go      text → declarations and statements, each with its place in the cell
//	decl.go       declarations, kept so that they can be compiled again
//	redefine.go   what goes with a cell that declares something anew (units.go: as text to check)
//	revise.go     what a check tells about that
//	lost.go       what a redefinition takes away, and gives back
//	moved.go      variables whose types are compiled again
//	composed.go   types made of these, and values of all of them in interfaces
//	layout.go     whether variables can keep their values then
//	check.go      go/types over the cell and all names of earlier cells
//	earlier.go    how these names come into its scope
//	checkerrors.go  problems in the cell's own terms
//	toolarge.go   what would take Go too long to check
//	assembly.go   the file that is checked
//	scope.go      names that mean something else before the cell declares them
//	imports.go    names of packages that the cell uses without importing them
//	modules.go    packages of other modules: fetching and pinning them (advice.go: errors)
//	workspace.go  the module or workspace that the notebook lies in
//	packages.go   what is compiled of them, and compiled again when it was edited
//	emit.go       text again: a package whose names later cells can import
//	statements.go the func that holds the cell's statements
//	rewrite.go    the cell's text with names replaced in it
//	emitcalls.go  calls and loops that mean something else in a cell
//	embedded.go   fields that have the name of their type
//	inferred.go   storage of variables whose type has no name
//	constrepeat.go  constants that repeat the line above
//	initorder.go  the order in which variables are set
//	embed.go      //go:embed
//	cgo.go        import "C"
//	goroutine.go  go statements, so that panics in them cost no more than the cell
//	build.go      compile and link (archives.go: with packages that have no code; bundle.go: with net/http)
//	hints.go      what to do about errors (syntaxhints.go: the parser's, memberhints.go: methods that are none)
//	compile.go    what is compiled, and the compiler's errors
//	process.go    the session process that loads it (package host) and what it answers
//	registration.go  names that another cell has registered
//	folder.go     the session's folder, and what its cells have started
//	prune.go      toolchains that are removed from the cache
//	manifest.go   what the cache holds, and whether it is whole (heal.go: what is done when it is not)
//	crash.go      what is told of a session process that died
//	interrupt.go  interrupts, up to the last resort
//	turn.go       one cell at a time, and what is left behind after an interrupt
//	debug.go      cells that a debugger can stop
//	vet.go        go vet over what was compiled
//	translate.go  from text to what is compiled
//	next.go       the program that a cell makes of the one before
//	session.go    the order of all that, and what is kept when it succeeds
//	knowledge.go  what editors can read of it while a cell runs
//
// Magics, Jupyter and CUDA are not known here.
package session
