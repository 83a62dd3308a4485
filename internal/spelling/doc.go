// Package spelling finds the known name nearest to a misspelled one.
package spelling
