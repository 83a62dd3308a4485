// Package hook is the way by which the packages below gpu reach what gpu does not export. Package gpu sets the variables when it is
// initialised; nothing else does. Packages of this module elsewhere have internal/gpuhooks.
package hook
