// Package hook has the unexported functions of package gpu that packages in gpu's subdirectories need. Package gpu sets the
// variables when it is initialized; no other package does. Packages elsewhere in this module use internal/gpuhooks.
package hook
