// Package framing reads and writes the messages of the Language Server Protocol and of the Debug
// Adapter Protocol, which are framed alike: a header with the length, an empty line, and JSON.
//
// The header is that of the base protocol in the specification of LSP, section "Header Part".
package framing
