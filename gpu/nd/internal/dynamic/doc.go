// Package dynamic makes arrays whose type of elements is known at run time only.
package dynamic
