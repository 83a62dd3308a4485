package session

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Cells are compiled and run with files in a cache. Damage that only reading each byte can find is detected when a cell or
// the start of the session process fails: then all files are read once.

// startLimit is far above the time that a session process takes to start on a machine that swaps.
const startLimit = 30 * time.Second

// startHost starts the session process and waits until it is ready. If it does not start because the cache is damaged, it
// repairs the cache and tries again.
func (s *Session) startHost() (*process, error) {
	p, err := s.tryHost()
	if err == nil || !s.heal(s.life, func(step string) { s.healed += step + " …\n" }) {
		return p, err
	}
	return s.tryHost()
}

func (s *Session) tryHost() (*process, error) {
	p, err := s.launchHost()
	if err != nil {
		return nil, err
	}
	late := time.NewTimer(startLimit)
	defer late.Stop()
	select {
	case <-p.ready:
		return p, nil
	case <-late.C:
		return p, nil // it may still start
	case <-s.life.Done():
		return p, nil
	case <-p.exited:
	}
	select {
	case <-p.ready: // both channels were ready
		return p, nil
	default:
	}
	died := p.death()
	return nil, fmt.Errorf("start the session process: %s exited at once (%s)%s", s.tools.HostProgram(), died.How, exitOutput(died))
}

// exitOutput returns the output of a process that did not start, as part of an error message.
func exitOutput(died *DiedError) string {
	for _, words := range []string{died.Why, died.Stderr} {
		if words != "" {
			return ": " + words
		}
	}
	return ""
}

// heal repairs the cache, and reports whether it was damaged and is repaired.
func (s *Session) heal(ctx context.Context, progress func(string)) bool {
	damaged, err := s.tools.repair(ctx, progress)
	if len(damaged) > 0 && err != nil {
		progress("The cache can't be repaired: " + err.Error())
	}
	return len(damaged) > 0 && err == nil
}

// cacheDamage matches errors of the importer and Go's tools about damaged archives.
var cacheDamage = regexp.MustCompile(`^link the cell|could not import|internal compiler error|is no archive|does not describe its package|unexpected EOF|malformed|corrupt|fingerprint|object file`)

// mayBeDamage reports whether a cell may have failed because the cache is damaged.
func mayBeDamage(err error) bool {
	var compile *CompileError
	var run *RunError
	var before *beforeError
	switch {
	case errors.As(err, &compile):
		return cacheDamage.MatchString(err.Error()) && !strings.Contains(err.Error(), "is not known")
	case errors.As(err, &run):
		return run.Kind == "LoadError"
	case errors.As(err, &before):
		return true
	}
	return cacheDamage.MatchString(err.Error())
}

// runHealed runs a cell. If the cell did not begin because the cache is damaged, it repairs the cache and runs
// the cell again.
func (s *Session) runHealed(ctx context.Context, src Source, out Output) error {
	err := s.runOnce(ctx, src, out)
	if err == nil || ctx.Err() != nil || !mayBeDamage(err) {
		return err
	}
	if !s.heal(ctx, func(step string) { tell(out, step+" …") }) {
		return err
	}
	return s.runOnce(ctx, src, out)
}
