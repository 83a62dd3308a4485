// Package findings writes what check mode has found in a CUDA program as files that other tools read: SARIF, which code hosts show beside
// the lines of a change, and JUnit's XML, which test reports of continuous integration show.
package findings
