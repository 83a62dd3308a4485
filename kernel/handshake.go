package kernel

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// socketType is the type of a ZeroMQ socket, as sent in the handshake.
type socketType string

const (
	reqSocket    socketType = "REQ"
	repSocket    socketType = "REP"
	dealerSocket socketType = "DEALER"
	routerSocket socketType = "ROUTER"
	pubSocket    socketType = "PUB"
	xpubSocket   socketType = "XPUB"
	subSocket    socketType = "SUB"
	xsubSocket   socketType = "XSUB"
)

// peersOf has the types of peers for the sockets of the kernel and its client.
var peersOf = map[socketType][]socketType{
	repSocket:    {reqSocket, dealerSocket},
	routerSocket: {reqSocket, dealerSocket, routerSocket},
	dealerSocket: {repSocket, dealerSocket, routerSocket},
	xpubSocket:   {subSocket, xsubSocket},
	subSocket:    {pubSocket, xpubSocket},
}

const (
	greetingSize = 64
	// maxReadyBytes is far above the size of a peer's properties.
	maxReadyBytes = 1 << 16
)

// greeting returns the greeting of ZMTP 3.0 without security. A newer peer falls back to 3.0, in which a subscription is a message and
// not a command.
func greeting() []byte {
	g := make([]byte, greetingSize)
	g[0], g[9] = 0xff, 0x7f
	g[10] = 3
	copy(g[12:], "NULL")
	return g
}

func checkGreeting(g []byte) error {
	if g[0] != 0xff || g[9] != 0x7f {
		return errors.New("the peer does not speak ZeroMQ")
	}
	if g[10] < 3 {
		return fmt.Errorf("the peer speaks version %d of ZeroMQ's protocol; 3 is needed", g[10])
	}
	if mechanism := string(bytes.TrimRight(g[12:32], "\x00")); mechanism != "NULL" {
		return fmt.Errorf("the peer wants security %q, and there is none here", mechanism)
	}
	return nil
}

// shakeHands does the handshake at either end of a connection and returns the peer's identity.
func shakeHands(w io.Writer, r *bufio.Reader, typ socketType, id string) (peerID string, err error) {
	if _, err := w.Write(append(greeting(), readyCommand(typ, id)...)); err != nil {
		return "", err
	}
	g := make([]byte, greetingSize)
	if _, err := io.ReadFull(r, g); err != nil {
		return "", err
	}
	if err := checkGreeting(g); err != nil {
		return "", err
	}
	frames, command, err := readFrames(r, maxReadyBytes)
	if err != nil {
		return "", err
	}
	if !command || len(frames) != 1 {
		return "", errors.New("the peer sent a message before it was ready")
	}
	peerType, peerID, err := parseReady(frames[0])
	if err != nil {
		return "", err
	}
	if !slices.Contains(peersOf[typ], peerType) {
		return "", fmt.Errorf("a %q socket cannot talk to a %q socket", peerType, typ)
	}
	return peerID, nil
}

var readyName = []byte("\x05READY")

func readyCommand(typ socketType, id string) []byte {
	body := slices.Clone(readyName)
	for _, p := range [][2]string{{"Socket-Type", string(typ)}, {"Identity", id}} {
		body = append(body, byte(len(p[0])))
		body = append(body, p[0]...)
		body = binary.BigEndian.AppendUint32(body, uint32(len(p[1])))
		body = append(body, p[1]...)
	}
	return appendFrame(nil, flagCommand, body)
}

// parseReady parses a peer's properties. Properties without a meaning here are skipped.
func parseReady(body []byte) (typ socketType, id string, err error) {
	rest, ok := bytes.CutPrefix(body, readyName)
	if !ok {
		return "", "", fmt.Errorf("the peer said %q instead of READY", body[:min(len(body), 40)])
	}
	for len(rest) > 0 {
		var name, value []byte
		if name, rest, err = cut(rest[1:], uint64(rest[0])); err != nil {
			return "", "", err
		}
		if len(rest) < 4 {
			return "", "", errCutReady
		}
		if value, rest, err = cut(rest[4:], uint64(binary.BigEndian.Uint32(rest))); err != nil {
			return "", "", err
		}
		switch strings.ToLower(string(name)) {
		case "socket-type":
			typ = socketType(value)
		case "identity":
			id = string(value)
		}
	}
	return typ, id, nil
}

var errCutReady = errors.New("the peer's READY is cut off")

// cut splits b after n bytes.
func cut(b []byte, n uint64) (head, tail []byte, err error) {
	if n > uint64(len(b)) {
		return nil, nil, errCutReady
	}
	return b[:n], b[n:], nil
}
