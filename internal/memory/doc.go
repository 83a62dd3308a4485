// Package memory tells how much memory processes take, and how much there is for more. It reads what Linux tells in /proc
// and /sys, and knows nothing of sessions or devices.
package memory
