// Package logging makes the loggers of gopherwarp's processes, according to two environment variables. All processes link it.
package logging

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// Env is the environment variable that lists the topics to log, separated by commas.
	Env = "GOPHERWARP_LOG"
	// FileEnv is the environment variable that names the file to log to. Without it, that is the standard error of the kernel process.
	FileEnv = "GOPHERWARP_LOG_FILE"
)

// The topics.
const (
	Session = "session" // start, exit and restart of processes
	Cells   = "cells"   // compilation and execution of cells
	Wire    = "wire"    // Jupyter's messages
	Device  = "device"  // requests to device processes
)

var topics = []string{Session, Cells, Wire, Device}

// Logs are the loggers of a process.
type Logs struct {
	on     []string
	path   string // of the file; "" for standard error
	logger *slog.Logger
}

// Open returns the loggers of a process with that name. It fails if the environment names an unknown topic, or a file that can't
// be written.
func Open(process string) (*Logs, error) {
	on, err := parse(os.Getenv(Env))
	if err != nil || len(on) == 0 {
		return &Logs{}, err
	}
	l := &Logs{on: on, path: os.Getenv(FileEnv)}
	var out io.Writer = os.Stderr
	if l.path != "" {
		if l.path, err = filepath.Abs(l.path); err != nil {
			return &Logs{}, fmt.Errorf("find the log file of %s: %w: give a path from the root", FileEnv, err)
		}
		// Each record is one write, so records of several processes don't mix.
		if out, err = os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
			return &Logs{}, fmt.Errorf("open the log file of %s: %w: name a file that can be written", FileEnv, err)
		}
	}
	l.logger = slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelDebug})).With("process", process, "pid", os.Getpid())
	return l, nil
}

// parse returns the topics in a list.
func parse(text string) ([]string, error) {
	var on []string
	var errs []error
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
		case slices.Contains(topics, name):
			on = append(on, name)
		default:
			errs = append(errs, fmt.Errorf("%s: unknown topic %q: use some of %s, separated by commas", Env, name, strings.Join(topics, ", ")))
		}
	}
	return on, errors.Join(errs...)
}

// On reports whether a topic is logged.
func (l *Logs) On(topic string) bool { return slices.Contains(l.on, topic) }

// Of returns the logger of a topic, which discards all records if the topic is not logged.
func (l *Logs) Of(topic string) *slog.Logger {
	if !l.On(topic) {
		return slog.New(slog.DiscardHandler)
	}
	return l.logger.With("topic", topic)
}

// Environ returns environment variables that make child processes log to the same file. Their own standard error is shown in
// the notebook.
func (l *Logs) Environ() []string {
	switch {
	case len(l.on) == 0:
		return nil
	case l.path == "":
		return []string{fmt.Sprintf("%s=/proc/%d/fd/2", FileEnv, os.Getpid())}
	}
	return []string{FileEnv + "=" + l.path}
}
