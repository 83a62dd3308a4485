package session

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// What a cell is compiled and run with lies in a cache, and what is damaged there in a way that costs a look at each byte to
// see is found when it fails: then all of it is read once.

// startLimit is far above the time that a session process takes to start, on a machine that swaps.
const startLimit = 30 * time.Second

// startHost starts the session process and waits until it is ready. If it does not start because the cache is damaged, that is
// mended first.
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
		return p, nil // it may come yet
	case <-s.life.Done():
		return p, nil
	case <-p.exited:
	}
	select {
	case <-p.ready: // both had happened
		return p, nil
	default:
	}
	died := p.death()
	return nil, fmt.Errorf("start the session process: %s ended at once (%s)%s", s.tools.HostProgram(), died.How, lastWordsOf(died))
}

// lastWordsOf is what a process that did not start said, as part of an error.
func lastWordsOf(died *DiedError) string {
	for _, words := range []string{died.Why, died.Stderr} {
		if words != "" {
			return ": " + words
		}
	}
	return ""
}

// heal makes anew what is damaged in the cache, and reports whether something was.
func (s *Session) heal(ctx context.Context, progress func(string)) bool {
	damaged, err := s.tools.repair(ctx, progress)
	if len(damaged) > 0 && err != nil {
		progress("The cache can't be mended: " + err.Error())
	}
	return len(damaged) > 0 && err == nil
}

// blamesCache matches what the importer and Go's tools say of archives that are damaged.
var blamesCache = regexp.MustCompile(`^link the cell|could not import|internal compiler error|is no archive|does not describe its package|unexpected EOF|malformed|corrupt|fingerprint|object file`)

// mayBeDamage reports whether a cell may have failed because the cache is damaged.
func mayBeDamage(err error) bool {
	var compile *CompileError
	var run *RunError
	var before *beforeError
	switch {
	case errors.As(err, &compile):
		return blamesCache.MatchString(err.Error()) && !strings.Contains(err.Error(), "is not known")
	case errors.As(err, &run):
		return run.Kind == "LoadError"
	case errors.As(err, &before):
		return true
	}
	return blamesCache.MatchString(err.Error())
}

// runHealed runs a cell, and once more if it did not begin because the cache is damaged.
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
