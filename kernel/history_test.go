package kernel

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// lines runs a request and returns "session/line" of what it finds.
func lines(t *testing.T, h *history, q historyRequest) []string {
	t.Helper()
	found, err := h.find(q)
	if err != nil {
		t.Error(err)
	}
	var got []string
	for _, c := range found {
		got = append(got, fmt.Sprintf("%d/%d", c[0], c[1]))
	}
	return got
}

// testHistory opens a history whose file must work.
func testHistory(t *testing.T, file string, inputs ...string) *history {
	t.Helper()
	var log bytes.Buffer
	h := openHistory(file, slog.New(slog.NewTextHandler(&log, nil)))
	<-h.ready
	if log.Len() > 0 {
		t.Fatalf("log: %s", &log)
	}
	for i, code := range inputs {
		h.add(historyCell{line: i + 1, input: code, output: "out " + code})
	}
	return h
}

func TestHistoryFind(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "history.sqlite")
	first := testHistory(t, file, "old", "a/1")
	first.close()
	second := testHistory(t, file, "a[1]", "multi\nline")
	second.close()
	kept := testHistory(t, file, "a/1", "b\n2", "a/1", "c")
	defer kept.close()
	alone := testHistory(t, "", "a/1", "b\n2", "a/1", "c")
	defer alone.close()
	two, stop, five := 2, 3, 5
	for _, tt := range []struct {
		name string
		q    historyRequest
		kept string // with the two sessions before it
		own  string // with nothing kept
	}{
		{"tail", historyRequest{Kind: "tail", N: &two}, "3/3 3/4", "1/3 1/4"},
		{"tail into another session", historyRequest{Kind: "tail", N: &five}, "2/2 3/1 3/2 3/3 3/4", "1/1 1/2 1/3 1/4"},
		{"tail of all", historyRequest{Kind: "tail"}, "1/1 1/2 2/1 2/2 3/1 3/2 3/3 3/4", "1/1 1/2 1/3 1/4"},
		{"range", historyRequest{Kind: "range", Start: 2, Stop: &stop}, "3/2", "1/2"},
		{"range to the end", historyRequest{Kind: "range", Start: 3}, "3/3 3/4", "1/3 1/4"},
		{"range of a session", historyRequest{Kind: "range", Session: 1}, "1/1 1/2", "1/1 1/2 1/3 1/4"},
		{"range of the session before", historyRequest{Kind: "range", Session: -1, Stop: &two}, "2/1", ""},
		{"range of no session", historyRequest{Kind: "range", Session: 77}, "", ""},
		{"search", historyRequest{Kind: "search", Pattern: "a*"}, "1/2 2/1 3/1 3/3", "1/1 1/3"},
		{"search over lines", historyRequest{Kind: "search", Pattern: "?*2"}, "3/2", "1/2"},
		{"search for brackets", historyRequest{Kind: "search", Pattern: "a[1]"}, "2/1", ""},
		{"search unique", historyRequest{Kind: "search", Pattern: "*", Unique: true}, "1/1 2/1 2/2 3/2 3/3 3/4", "1/2 1/3 1/4"},
		{"search last", historyRequest{Kind: "search", Pattern: "a*1", N: &[]int{1}[0]}, "3/3", "1/3"},
		{"unknown kind", historyRequest{Kind: "dream"}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(lines(t, kept, tt.q), " "); got != tt.kept {
				t.Errorf("with earlier sessions: %q, want %q", got, tt.kept)
			}
			if got := strings.Join(lines(t, alone, tt.q), " "); got != tt.own {
				t.Errorf("alone: %q, want %q", got, tt.own)
			}
		})
	}
	found, err := kept.find(historyRequest{Kind: "range", Session: 1, Start: 2, Output: true})
	if want := [][3]any{{1, 2, [2]any{"a/1", "out a/1"}}}; err != nil || !reflect.DeepEqual(found, want) {
		t.Errorf("with output = %v, %v; want %v", found, err, want)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file can be read by others: %v, %v", info.Mode(), err)
	}
}

func TestHistoryOfKernelsAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.sqlite")
	const kernels, cells = 6, 40
	var wg sync.WaitGroup
	for range kernels {
		wg.Go(func() {
			h := openHistory(file, slog.New(slog.DiscardHandler))
			for i := range cells {
				h.add(historyCell{line: i + 1, input: "x"})
			}
			h.close()
		})
	}
	wg.Wait()
	h := testHistory(t, file)
	defer h.close()
	if got := lines(t, h, historyRequest{Kind: "tail"}); len(got) != kernels*cells {
		t.Errorf("%d cells are kept, want %d", len(got), kernels*cells)
	}
}

func TestHistoryLeavesHugeCellsOutOfItsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.sqlite")
	h := testHistory(t, file, "small", strings.Repeat("x", maxKeptInput+1), "last")
	if got := lines(t, h, historyRequest{Kind: "tail"}); len(got) != 3 {
		t.Errorf("this session has %v", got)
	}
	h.close()
	h = testHistory(t, file)
	defer h.close()
	if got := lines(t, h, historyRequest{Kind: "tail"}); !reflect.DeepEqual(got, []string{"1/1", "1/3"}) {
		t.Errorf("the next session has %v", got)
	}
}

// TestHistoryTrouble has files that can't be used. Each costs a line in the log, and no cell of
// the session.
func TestHistoryTrouble(t *testing.T) {
	for _, tt := range []struct {
		name   string
		file   func(dir string) (string, error)
		log    string
		mended bool // the next kernel has this one's cell
	}{
		{"garbage", func(dir string) (string, error) {
			file := filepath.Join(dir, "h")
			return file, os.WriteFile(file, bytes.Repeat([]byte("not a database "), 1000), 0o600)
		}, "a new one begins", true},
		{"damaged in the middle", func(dir string) (string, error) {
			file := filepath.Join(dir, "h")
			h := testHistory(t, file, strings.Split(strings.Repeat("some text of a cell,", 2000), ",")...)
			h.close()
			f, err := os.OpenFile(file, os.O_RDWR, 0)
			if err != nil {
				return "", err
			}
			_, err = f.WriteAt(bytes.Repeat([]byte{0xff}, 20_000), 8192)
			return file, errors.Join(err, f.Close())
		}, "a new one begins", true},
		{"cut off", func(dir string) (string, error) {
			file := filepath.Join(dir, "h")
			h := testHistory(t, file, strings.Split(strings.Repeat("some text of a cell,", 2000), ",")...)
			h.close()
			return file, os.Truncate(file, 10_000)
		}, "a new one begins", true},
		{"folder", func(dir string) (string, error) { return dir, nil }, "is a directory", false},
		{"no folder can be made", func(dir string) (string, error) {
			return filepath.Join(dir, "file", "h"), os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)
		}, "make the folder of the history", false},
		{"read-only", func(string) (string, error) { return "/proc/version", nil }, "open history", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file, err := tt.file(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			h := openHistory(file, slog.New(slog.NewTextHandler(&log, nil)))
			h.add(historyCell{line: 1, input: "x"})
			if got := lines(t, h, historyRequest{Kind: "tail"}); !reflect.DeepEqual(got, []string{"1/1"}) {
				t.Errorf("found %v", got)
			}
			h.close()
			if !strings.Contains(log.String(), tt.log) {
				t.Errorf("log = %q, want %q", &log, tt.log)
			}
			if tt.mended {
				h := testHistory(t, file)
				defer h.close()
				if got := lines(t, h, historyRequest{Kind: "tail"}); !reflect.DeepEqual(got, []string{"1/1"}) {
					t.Errorf("the next kernel found %v", got)
				}
			}
		})
	}
}

func TestRepairHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h")
	repair := func(want string) {
		t.Helper()
		wrong, err := RepairHistory(file)
		if err != nil || (wrong == "") != (want == "") || !strings.Contains(wrong, want) {
			t.Errorf("%q, %v, want %q", wrong, err, want)
		}
	}
	repair("") // there is none
	h := testHistory(t, file, strings.Split(strings.Repeat("some text of a cell,", 2000), ",")...)
	h.close()
	repair("")
	if err := os.Truncate(file, 10_000); err != nil {
		t.Fatal(err)
	}
	repair("it is now " + file + ".damaged")
	repair("")
	h = testHistory(t, file)
	defer h.close()
	if got := lines(t, h, historyRequest{Kind: "tail"}); len(got) != 0 {
		t.Errorf("the new one has %v", got)
	}
}

func TestHistoryIsTrimmed(t *testing.T) {
	for _, tt := range []struct {
		name         string
		cells, bytes int
		want         []string
	}{
		{"little", 100, 1 << 20, []string{"1/1", "1/2", "2/1", "3/1", "3/2"}},
		{"too many cells", 3, 1 << 20, []string{"2/1", "3/1", "3/2"}},
		{"too many bytes", 100, 40, []string{"3/1", "3/2"}},
		{"the newest session alone is too much", 1, 1, []string{"3/1", "3/2"}},
	} {
		file := filepath.Join(t.TempDir(), "history.sqlite")
		for _, inputs := range [][]string{{"first", "second"}, {"third"}, {"fourth", "fifth"}} {
			testHistory(t, file, inputs...).close()
		}
		h := testHistory(t, file)
		if err := h.file.trim(tt.cells, tt.bytes); err != nil {
			t.Error(err)
		}
		if got := lines(t, h, historyRequest{Kind: "tail"}); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v is left, want %v", tt.name, got, tt.want)
		}
		h.close()
	}
}

func TestLongSessionIsTrimmedInMemory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.sqlite")
	h := testHistory(t, file)
	const cells = 2*maxKeptCells + 5
	for i := range cells {
		h.add(historyCell{line: i + 1, input: "x"})
	}
	h.mu.Lock()
	held := len(h.cells)
	h.mu.Unlock()
	n := 3 // fewer than are in memory, so that this does not ask the file, which is being written
	got := lines(t, h, historyRequest{Kind: "tail", N: &n})
	if want := []string{"1/40003", "1/40004", "1/40005"}; held < maxKeptCells || held >= 2*maxKeptCells || !reflect.DeepEqual(got, want) {
		t.Errorf("%d cells are in memory, the last are %v", held, got)
	}
	h.close()
	<-h.done // close itself is not as patient
	h = testHistory(t, file)
	defer h.close()
	if got := lines(t, h, historyRequest{Kind: "tail", N: &n}); !reflect.DeepEqual(got, []string{"1/40003", "1/40004", "1/40005"}) {
		t.Errorf("the next session finds %v", got)
	}
}

// TestHistoryIsLocked has another program keep the file locked for longer than SQLite waits, as the history opens and as a cell is
// added. Nothing is lost.
func TestHistoryIsLocked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.sqlite")
	testHistory(t, file, "before").close()
	for _, tt := range []struct{ name, want string }{{"as it opens", "1/1 2/1 2/2"}, {"as a cell is added", "1/1 2/1 2/2 4/1 4/2"}} {
		t.Run(tt.name, func(t *testing.T) {
			db, err := sql.Open("sqlite", "file:"+file)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			db.SetMaxOpenConns(1)
			lock := func(how string) {
				if _, err := db.Exec(how); err != nil {
					t.Fatal(err)
				}
			}
			locked := make(chan struct{}, 100)
			log := slog.New(slog.NewTextHandler(writerFunc(func(line []byte) {
				if bytes.Contains(line, []byte("locked")) {
					locked <- struct{}{}
				}
			}), nil))
			var h *history
			if tt.name == "as it opens" {
				lock("BEGIN EXCLUSIVE")
				h = openHistory(file, log)
			} else {
				h = openHistory(file, log)
				<-h.ready
				lock("BEGIN EXCLUSIVE")
			}
			h.add(historyCell{line: 1, input: "first"})
			<-locked
			lock("COMMIT")
			h.add(historyCell{line: 2, input: "second"})
			h.close()
			after := testHistory(t, file)
			defer after.close()
			if got := strings.Join(lines(t, after, historyRequest{Kind: "tail"}), " "); got != tt.want {
				t.Errorf("kept %q, want %q", got, tt.want)
			}
		})
	}
}

type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}
