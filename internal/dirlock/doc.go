// Package dirlock keeps processes that build into the same folder of a cache out of each
// other's way.
package dirlock
