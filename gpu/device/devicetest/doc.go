// Package devicetest lets the tests of packages that use devices be their own device process, so
// that they need no installed program.
package devicetest
