// Package dynamic makes arrays whose dtype is known at run time only.
package dynamic
