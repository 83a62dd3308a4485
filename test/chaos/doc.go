// Package chaos has no code: its test runs a notebook while it kills processes, sends hostile messages, fills the disk and
// damages caches, and compares the remaining state with a model. test/e2e has tests of each of these.
package chaos
