// Package chaos holds no code: its test runs a notebook while it kills processes, sends hostile messages, fills the disk and damages
// caches, and compares what is left with a model. test/e2e has the tests of each single thing.
package chaos
