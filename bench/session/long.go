package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// measureLong compares the 300th cell of a session with its 10th, in several sessions.
func measureLong(ctx context.Context, launch kernel.Launch, sessions int) error {
	var early, late []time.Duration
	for range sessions {
		tenth, last, err := longSession(ctx, launch)
		if err != nil {
			return err
		}
		early, late = append(early, tenth...), append(late, last...)
	}
	report("10th cell of a session", early)
	report("300th cell of a session", late)
	// report has sorted them.
	fmt.Printf("%-28s        %8.2f times the 10th\n", "", float64(late[len(late)/2])/float64(early[len(early)/2]))
	return nil
}

// longSession returns the times of the 10th and the 300th cell of a session. A single
// cell varies too much, so each time is that of the cell and its neighbours.
func longSession(ctx context.Context, launch kernel.Launch) (early, late []time.Duration, err error) {
	const last, around = 300, 5
	process, err := launch.Start(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer process.Stop(context.WithoutCancel(ctx))
	b := bench{ctx: ctx, client: process.Client}
	times, err := b.cells(last+around, "ok", func(i int) string {
		return fmt.Sprintf("x%d := []int{%[1]d, 2, 3}\nfunc f%[1]d(v []int) int { return len(v) + %[1]d }\nfmt.Println(f%[1]d(x%[1]d))", i)
	})
	if err != nil {
		return nil, nil, err
	}
	at := func(number int) []time.Duration {
		return slices.Clone(times[number-1-around : number+around])
	}
	return at(10), at(last), nil
}
