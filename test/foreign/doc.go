// Package foreign has only tests: programs by other authors, run as cells, and random notebooks that are compared with an
// equivalent program. Nothing is fetched: the programs are those of the Go installation.
//
//	corpus_test.go    programs of Go's own test directory (corpussplit_test.go: as cells)
//	examples_test.go  Examples of the standard library, whole and split
//	random_test.go    random notebooks
//	export_test.go    random notebooks as programs
//	programs_test.go  programs that print what reflection shows, compared with go run
package foreign
