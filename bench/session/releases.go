package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/goroot"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// releaseCells are kinds of cells, with new text for each i.
var releaseCells = []struct {
	what string
	code func(i int) string
}{
	{"small cell", func(i int) string { return fmt.Sprintf("x%d := %d\nfmt.Println(x%[1]d)", i, i) }},
	{"type with methods, JSON", func(i int) string {
		return fmt.Sprintf("type t%d struct{ N int }\nfunc (t t%[1]d) String() string { return \"t\" }\nfmt.Println(t%[1]d{}, string(must(json.Marshal(t%[1]d{%[1]d}))))", i)
	}},
	{"generic func, sort", func(i int) string {
		return fmt.Sprintf("func g%d[T cmp.Ordered](s ...T) []T { slices.Sort(s); return s }\nfmt.Println(g%[1]d(3, 1, 2), g%[1]d(\"b\", \"a\"))", i)
	}},
	{"template", func(i int) string {
		return fmt.Sprintf("import \"text/template\"\nt%d := template.Must(template.New(\"\").Parse(\"{{.}}\"))\nt%[1]d.Execute(os.Stdout, %[1]d)", i)
	}},
}

// measureReleases runs the same cells with several releases of Go in alternation, and compares each with the first.
func measureReleases(ctx context.Context, launch kernel.Launch, programs []string, repeats int) error {
	var benches []bench
	for _, program := range programs {
		with := launch
		with.Env = append(slices.Clone(launch.Env), goroot.Env+"="+program)
		process, err := with.Start(ctx)
		if err != nil {
			return err
		}
		defer process.Stop(context.WithoutCancel(ctx))
		b := bench{ctx: ctx, client: process.Client}
		if _, err := b.cells(1, "ok", func(int) string { return "warm := 1" }); err != nil {
			return fmt.Errorf("with %s: %w", program, err)
		}
		benches = append(benches, b)
	}
	for k, kind := range releaseCells {
		times := make([][]time.Duration, len(benches))
		for i := range repeats {
			for j, b := range benches {
				one, err := b.cells(1, "ok", func(int) string { return kind.code(1000*k + i) })
				if err != nil {
					return fmt.Errorf("with %s: %s: %w", programs[j], kind.what, err)
				}
				if i > 0 { // the first one is the first to use its packages
					times[j] = append(times[j], one...)
				}
			}
		}
		for j, program := range programs {
			report(kind.what+", "+releaseName(program), times[j])
		}
		first := times[0][len(times[0])/2] // report has sorted them
		for j := 1; j < len(times); j++ {
			fmt.Printf("%-28s %.2f × %s\n", "", float64(times[j][len(times[j])/2])/float64(first), releaseName(programs[0]))
		}
	}
	return nil
}

// releaseName returns the version of the Go that a go command belongs to.
func releaseName(program string) string {
	return cmp.Or(goroot.Version(filepath.Dir(filepath.Dir(program))), program)
}
