package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/dirlock"
)

func TestPrune(t *testing.T) {
	const day = 24 * time.Hour
	type made struct {
		name  string
		size  int
		age   time.Duration
		inUse bool
		early bool // of an earlier release, which locks nothing
	}
	for name, c := range map[string]struct {
		made  []made
		limit int64
		want  []string
	}{
		"within all limits":       {[]made{{"a", 100, day, false, false}, {"b", 100, 0, false, false}}, 1000, []string{"a", "b"}},
		"unused for long":         {[]made{{"a", 10, 31 * day, false, false}, {"b", 10, 29 * day, false, false}}, 1000, []string{"b"}},
		"unused and in use":       {[]made{{"a", 10, 31 * day, true, false}, {"b", 10, 0, false, false}}, 1000, []string{"a", "b"}},
		"too much":                {[]made{{"a", 600, 3 * day, false, false}, {"b", 600, 2 * day, false, false}, {"c", 600, day, true, false}}, 1300, []string{"b", "c"}},
		"too much and in use":     {[]made{{"a", 600, 3 * day, true, false}, {"b", 600, 2 * day, false, false}, {"c", 600, day, true, false}}, 1300, []string{"a", "b", "c"}},
		"too much but for a tail": {[]made{{"a", 100, 3 * day, false, false}, {"b", 900, 2 * day, false, false}, {"c", 600, day, false, false}}, 1000, []string{"a", "c"}},
		"all in use":              {[]made{{"a", 600, 2 * day, true, false}, {"b", 600, 1, true, false}}, 100, []string{"a", "b"}},
		"of an earlier release":   {[]made{{"a", 600, 29 * day, false, true}, {"b", 600, 31 * day, false, true}, {"c", 600, day, false, false}, {"d", 600, 2 * day, false, false}}, 700, []string{"a", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			cache, now := t.TempDir(), time.Now()
			for _, m := range c.made {
				dir := filepath.Join(toolchainsDir(cache), m.name)
				if err := writeFile(filepath.Join(dir, "host", "program"), make([]byte, m.size)); err != nil {
					t.Fatal(err)
				}
				used := dir
				if !m.early {
					release, err := dirlock.Use(dir)
					if err != nil {
						t.Fatal(err)
					}
					defer release()
					if !m.inUse {
						release()
					}
					used = filepath.Join(dir, "used")
				}
				if err := os.Chtimes(used, now.Add(-m.age), now.Add(-m.age)); err != nil {
					t.Fatal(err)
				}
			}
			if err := prune(cache, now, c.limit); err != nil {
				t.Error(err)
			}
			var left []string
			entries, err := os.ReadDir(toolchainsDir(cache))
			for _, e := range entries {
				left = append(left, e.Name())
			}
			if err != nil || !slices.Equal(left, c.want) {
				t.Errorf("left are %q, error %v, want %q", left, err, c.want)
			}
			state, err := LookAtCache(Config{Cache: cache})
			if err != nil || state.Toolchains != len(c.want) || state.Size != state.ToolchainsSize {
				t.Errorf("%+v, error %v", state, err)
			}
		})
	}
}
