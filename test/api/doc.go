// Package api holds no code: run.sh compares the public API with that of the last tagged version, and the test shows that it does.
package api
