package children

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// A Process is a process that was found.
type Process struct {
	PID     int
	Name    string
	session int // of Linux: a process that calls setsid starts its own
	state   byte
}

func (p Process) String() string { return fmt.Sprintf("%s (process %d)", p.Name, p.PID) }

// OwnSession returns the session that this process belongs to.
func OwnSession() int {
	p, _ := look(os.Getpid())
	return p.session
}

// Lives reports whether there is a process with this number that has not exited. A zombie has.
func Lives(pid int) bool {
	p, err := look(pid)
	return err == nil && p.running()
}

func (p Process) running() bool { return p.state != 'Z' && p.state != 'X' }

// rounds is how often End searches for processes that were started while it killed others.
const rounds = 5

// End kills all processes that have an entry such as "NAME=value" in their environment, except for this one and those in
// another session than the given one, which are meant to continue (setsid, nohup with setsid, daemons). It returns the exceptions.
func End(entry string, session int) (left []Process) {
	for range rounds {
		left = left[:0]
		found := false
		for _, p := range marked(entry) {
			if p.session != session {
				left = append(left, p)
				continue
			}
			found = true
			_ = syscall.Kill(p.PID, syscall.SIGKILL) // it may have exited
		}
		if !found {
			break
		}
	}
	return left
}

// marked returns the other processes of this user that have an entry in their environment.
func marked(entry string) (all []Process) {
	dirs, _ := os.ReadDir("/proc")
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		env, err := os.ReadFile(filepath.Join("/proc", d.Name(), "environ")) // fails for other users' processes
		if err != nil || !slices.ContainsFunc(bytes.Split(env, []byte{0}), func(e []byte) bool { return string(e) == entry }) {
			continue
		}
		if p, err := look(pid); err == nil && p.running() {
			all = append(all, p)
		}
	}
	return all
}

// look reads the state of a process from /proc.
func look(pid int) (Process, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return Process{}, err
	}
	// The name is in parentheses and may contain any character.
	begin, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if begin < 0 || end < begin {
		return Process{}, errors.New("there is no name in " + string(text))
	}
	fields := strings.Fields(string(text[end+1:])) // state, parent, group, session, …
	if len(fields) < 4 {
		return Process{}, errors.New("there is no session in " + string(text))
	}
	session, err := strconv.Atoi(fields[3])
	return Process{pid, string(text[begin+1 : end]), session, fields[0][0]}, err
}

// Of returns the descendants of a process whose parents are still running. Each process comes before its children.
func Of(pid int) (all []Process) {
	// The file of each thread has the children that it started.
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				if p, err := look(child); err == nil {
					all = append(append(all, p), Of(child)...)
				}
			}
		}
	}
	return all
}
