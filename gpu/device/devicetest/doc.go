// Package devicetest makes the test binaries of packages that use devices their own device processes, so that the tests need no
// installed program.
package devicetest
