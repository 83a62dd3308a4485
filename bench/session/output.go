package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// outputLines is the number of lines that the cell of measureOutput prints.
const outputLines = 1_000_000

// measureOutput measures a cell that prints, from its request until all output has arrived.
func (b bench) measureOutput(repeats int) error {
	var times []time.Duration
	for range repeats {
		lines := 0
		var decode error
		started := time.Now()
		_, err := b.client.Execute(b.ctx, kernel.ExecuteRequest{
			Code: fmt.Sprintf("for i := range %d { fmt.Println(i) }", outputLines),
			OnOutput: func(m *kernel.Message) {
				var c struct{ Text string }
				if m.Header.Type == "stream" {
					if err := m.DecodeContent(&c); err != nil {
						decode = err
					}
					lines += strings.Count(c.Text, "\n")
				}
			},
		})
		times = append(times, time.Since(started))
		if err == nil {
			err = decode
		}
		if err != nil {
			return err
		}
		if lines != outputLines {
			return fmt.Errorf("%d lines have arrived of %d", lines, outputLines)
		}
	}
	report("1 000 000 lines of stdout", times)
	return nil
}
