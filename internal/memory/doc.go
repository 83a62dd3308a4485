// Package memory returns how much memory processes use, and how much is available. It reads /proc and /sys of Linux,
// and has no code for sessions or devices.
package memory
