package main

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"
)

// edits are completed in turn: names of the session, members of packages and of values.
var edits = []string{"fmt.Pri", "war", "strings.NewReplacer().", "buffer.", "for i := range x1 {\n\tmath.Ma"}

// measureEditing measures completion and inspection, from the request to the reply. The session must not have handled any of
// these requests.
func (b bench) measureEditing(repeats int) error {
	complete := func(i int) (time.Duration, error) {
		code := edits[i%len(edits)]
		return b.ask("complete_request", map[string]any{"code": code, "cursor_pos": utf8.RuneCountInString(code)})
	}
	inspect := func(i int) (time.Duration, error) {
		name := []string{"strings.Replace", "warm", "gpu.Zeros"}[i%3]
		return b.ask("inspect_request", map[string]any{"code": name, "cursor_pos": len(name), "detail_level": 0})
	}
	first, err := complete(0)
	if err != nil {
		return err
	}
	report("first completion", []time.Duration{first})
	// Wait until gopls has read the packages; a learner also pauses in between.
	for range 10 {
		if _, err := complete(0); err != nil {
			return err
		}
		time.Sleep(500 * time.Millisecond)
	}
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	for _, kind := range []struct {
		what string
		cell string // a cell that runs meanwhile
		ask  func(i int) (time.Duration, error)
	}{
		{"completion", "", complete},
		{"inspection", "", inspect},
		{"completion, a cell runs", "time.Sleep(2 * time.Second)", complete},
	} {
		ended := make(chan error, 1)
		if kind.cell == "" {
			ended <- nil
		} else {
			go func() {
				_, err := bench{ctx, b.client}.cells(1, "ok", func(int) string { return kind.cell })
				ended <- err
			}()
		}
		var times []time.Duration
		for i := range repeats {
			t, err := kind.ask(i)
			if err != nil {
				return fmt.Errorf("%s: %w", kind.what, err)
			}
			times = append(times, t)
		}
		report(kind.what, times)
		if err := <-ended; err != nil {
			return err
		}
	}
	return nil
}

// ask sends a request and returns the time until the reply.
func (b bench) ask(msgType string, content any) (time.Duration, error) {
	started := time.Now()
	err := b.client.Request(b.ctx, msgType, content, &struct{}{})
	return time.Since(started), err
}
