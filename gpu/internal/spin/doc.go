// Package spin waits for a moment without sleeping: to wake a thread takes longer than what is waited for often does.
package spin
