package kernel

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// A ConnectionInfo has the addresses of a kernel's five sockets, and the key with which messages are signed. It is the content of a
// connection file.
type ConnectionInfo struct {
	Transport       string `json:"transport"` // "tcp" or "ipc"
	IP              string `json:"ip"`        // host, or for ipc the path without "-port"
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HeartbeatPort   int    `json:"hb_port"`
	Key             string `json:"key"` // if it is empty messages are not signed
	SignatureScheme string `json:"signature_scheme"`
	KernelName      string `json:"kernel_name,omitempty"`
	// CurvePublicKey and CurveSecretKey request encryption, which is rejected.
	CurvePublicKey string `json:"curve_publickey,omitempty"`
	CurveSecretKey string `json:"curve_secretkey,omitempty"`
}

// ReadConnectionFile reads and checks the file that a front end passes to the kernel.
func ReadConnectionFile(path string) (ConnectionInfo, error) {
	var c ConnectionInfo
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, fmt.Errorf("connection file %s does not exist: Jupyter writes it when it starts a kernel, so start the kernel from Jupyter or with 'gopherwarp run'", path)
	case err != nil:
		return c, fmt.Errorf("read connection file: %w", err)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("connection file %s is damaged (%w): start the kernel again so that Jupyter writes a new one", path, err)
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("connection file %s: %w", path, err)
	}
	return c, nil
}

// check returns the first reason why the sockets cannot be opened, or nil.
func (c *ConnectionInfo) check() error {
	switch c.Transport {
	case "":
		c.Transport = "tcp"
	case "tcp", "ipc":
	default:
		return fmt.Errorf("transport is %q: only tcp and ipc are known", c.Transport)
	}
	if c.IP == "" {
		return errors.New("ip is missing")
	}
	switch c.SignatureScheme {
	case "", "hmac-sha256":
	default:
		return fmt.Errorf("signature_scheme is %q: only hmac-sha256 is known", c.SignatureScheme)
	}
	// Continuing without encryption would be worse than an error: the user would believe that the connection is encrypted.
	if c.CurvePublicKey != "" || c.CurveSecretKey != "" {
		return errors.New("it asks for encrypted connections (CurveZMQ), which this kernel can't do: set KernelManager.transport_encryption to \"disabled\" or \"auto\" in Jupyter's settings, and where others share the machine use \"transport\": \"ipc\"")
	}
	for _, p := range []struct {
		name string
		port int
	}{
		{"shell_port", c.ShellPort},
		{"iopub_port", c.IOPubPort},
		{"stdin_port", c.StdinPort},
		{"control_port", c.ControlPort},
		{"hb_port", c.HeartbeatPort},
	} {
		if p.port < 1 || p.port > 65535 {
			return fmt.Errorf("%s is %d: want a port from 1 to 65535", p.name, p.port)
		}
	}
	return nil
}

// A Risk is a way in which others can use or watch a kernel.
type Risk struct{ Problem, Remedy string }

func (r Risk) String() string { return r.Problem + ". " + r.Remedy }

// Risks returns the ways in which the connection lets others use or watch the kernel.
func (c ConnectionInfo) Risks() []Risk {
	var risks []Risk
	if c.Key == "" {
		risks = append(risks, Risk{
			"messages are not signed, since the key is empty: whoever can connect can run code as this user",
			"Remove Session.key and Session.keyfile from Jupyter's settings, so that each kernel gets a key of its own",
		})
	}
	ip := net.ParseIP(c.IP)
	if c.Transport != "ipc" && (c.IP == "*" || ip != nil && !ip.IsLoopback()) {
		risks = append(risks, Risk{
			"the kernel listens on " + c.IP + ", so whoever reaches this machine can read what cells show, which is not encrypted",
			"Set KernelManager.ip to 127.0.0.1, or KernelManager.transport to ipc",
		})
	}
	return risks
}

// address returns the network and address of a port for package net.
func (c ConnectionInfo) address(port int) (network, addr string) {
	if c.Transport == "ipc" {
		return "unix", c.IP + "-" + strconv.Itoa(port)
	}
	return "tcp", net.JoinHostPort(c.IP, strconv.Itoa(port))
}

// NewIPCConnection returns a connection over unix sockets in dir, with a new key. Sockets in a private directory cannot collide with
// another program's ports, and other users cannot connect to them.
func NewIPCConnection(dir string) ConnectionInfo {
	return ConnectionInfo{
		Transport: "ipc", IP: filepath.Join(dir, "k"),
		ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HeartbeatPort: 5,
		Key: newID(), SignatureScheme: "hmac-sha256",
	}
}

// WriteFile writes the connection file. It is readable by its owner only, since it contains the key.
func (c ConnectionInfo) WriteFile(path string) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("encode connection file: %w", err)
	}
	if err := os.WriteFile(path, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write connection file: %w", err)
	}
	return nil
}

// newID returns 32 random hexadecimal digits: a message id, a session id or a key.
func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(b[:])
}
