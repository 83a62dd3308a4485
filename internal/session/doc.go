// Package session runs Go cells: it turns each cell into a package, compiles that to a
// plugin and makes the session process load it, so that variables, goroutines and open
// files are kept from cell to cell.
//
// The files, in the order of a cell's processing:
//
//	split.go      text → declarations and statements, each with its position in the cell
//	decl.go       declarations, kept so that they can be compiled again
//	redefine.go   what is compiled again with a cell that redefines names (units.go: as files to check)
//	revise.go     changes of that plan after a check
//	lost.go       names that a redefinition removes and restores
//	moved.go      variables whose types are compiled again
//	composed.go   types composed of these, and values of all of them in interfaces
//	layout.go     whether variables can keep their values then
//	check.go      go/types on the cell and all names of earlier cells
//	earlier.go    inserts these names into its scope
//	checkerrors.go  problems with the names and positions of the cell
//	toolarge.go   types and constants that would take Go too long to check
//	assembly.go   the file that is checked
//	scope.go      names that have another meaning before the cell declares them
//	imports.go    names of packages that the cell uses without importing them
//	modules.go    packages of other modules: fetching and pinning them (advice.go: errors)
//	workspace.go  the module or workspace that contains the notebook
//	packages.go   compiles them, and again after they were edited
//	emit.go       text again: a package whose names later cells can import
//	statements.go the func that holds the cell's statements
//	rewrite.go    the cell's text with names replaced in it
//	emitcalls.go  calls and loops that have another meaning in a cell
//	embedded.go   fields that have the name of their type
//	inferred.go   storage of variables whose type has no name
//	constrepeat.go  constants that repeat the line above
//	initorder.go  the order in which variables are set
//	embed.go      //go:embed
//	cgo.go        import "C"
//	goroutine.go  go statements, so that panics in them end only the cell
//	build.go      compile and link (archives.go: with packages that have no code; bundle.go: with net/http)
//	linker.go     the program that links plugins (see package ld)
//	hints.go      remedies for errors (syntaxhints.go: the parser's, memberhints.go: undefined methods)
//	compile.go    the compiler's arguments and errors (compileflags.go: the user's flags)
//	toolchain.go  the Go toolchain and the session program, in the cache (selftest.go: its test)
//	process.go    the session process that loads the plugin (package host) and its events
//	registration.go  names that another cell has registered
//	folder.go     the session's directory, and processes that its cells have started
//	memory.go     the limit of the session process's memory
//	prune.go      toolchains that are removed from the cache
//	manifest.go   the cache's files, and whether they are undamaged (heal.go: repairs)
//	crash.go      the report of a session process that crashed
//	interrupt.go  interrupts, up to killing the process
//	turn.go       one cell at a time, and cells that continue after an interrupt
//	debug.go      cells that a debugger can stop
//	vet.go        go vet on the compiled packages
//	translate.go  from text to the package
//	next.go       the program after a cell
//	session.go    the sequence of these steps, and the state that is kept
//	knowledge.go  the state that editors can read while a cell runs
//	outline.go    the declarations of a cell, for translators of Go code
//	lister.go     cells as the parts of one program, which do not run (listing.go, and listing…: its text, names, what it needs)
//
// The package does not depend on magics, Jupyter and CUDA.
package session
