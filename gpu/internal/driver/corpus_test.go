package driver

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend/backendtest"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend/backendtest/corpus"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver/opcount"
)

// TestCompileAll compiles the kernels of the corpus, of the backends' tests and of the lessons with NVRTC, which needs no GPU:
// code that only g++ accepts must fail. They are compiled for the oldest and the newest compute capability, with GOPHERWARP_NVRTC=all
// for those between, too.
func TestCompileAll(t *testing.T) {
	capabilities := []int{75, 100}
	if os.Getenv("GOPHERWARP_NVRTC") == "all" {
		capabilities = []int{75, 80, 90, 100}
	}
	c := testCompiler(t)
	c.cache = nil
	var programs []backend.Program
	cases, err := corpus.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range cases {
		programs = append(programs, k.Program())
	}
	programs = append(programs, backendtest.Programs()...)
	directory, err := corpus.Folder()
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := filepath.Glob(filepath.Join(directory, "wrong", "*.cu"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range wrong { // they have defects, but they compile
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, backend.Program{Name: "wrong_" + filepath.Base(path), Source: string(text)})
	}
	launched, err := filepath.Glob(filepath.Join(directory, "..", "*.cu")) // used by the tests of package gpu
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range launched {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, backend.Program{Name: "gpu_" + filepath.Base(path), Source: string(text)})
	}
	lessons, err := cellsOfLessons(filepath.Join(directory, "..", "..", "..", "notebooks"))
	if err != nil {
		t.Fatal(err)
	}
	if len(lessons) == 0 {
		t.Error("no lesson has a cell of CUDA C++")
	}
	for _, p := range append(programs, lessons...) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			for _, cc := range capabilities {
				img, err := c.compile(p, cc)
				if err != nil {
					t.Fatalf("compute capability %d.%d: %v", cc/10, cc%10, err)
				}
				if _, err := opcount.Instrument(string(img.PTX)); err != nil {
					t.Errorf("compute capability %d.%d: adding counters: %v", cc/10, cc%10, err)
				}
			}
		})
	}
}

// cellsOfLessons returns the %%cuda cells of all notebooks below a directory.
func cellsOfLessons(root string) ([]backend.Program, error) {
	var programs []backend.Program
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".ipynb" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var notebook struct {
			Cells []struct {
				Type   string   `json:"cell_type"`
				Source []string `json:"source"`
			} `json:"cells"`
		}
		if err := json.Unmarshal(data, &notebook); err != nil {
			return err
		}
		for _, cell := range notebook.Cells {
			text := strings.Join(cell.Source, "")
			first, body, _ := strings.Cut(text, "\n")
			options, ok := strings.CutPrefix(first, "%%cuda")
			if cell.Type == "code" && ok {
				programs = append(programs, backend.Program{
					Name: filepath.Base(path) + ".cu", Source: body, Options: nvrtcOptions(options),
				})
			}
		}
		return nil
	})
	return programs, err
}

// nvrtcOptions returns the options of a magic without those of the magic itself.
func nvrtcOptions(line string) []string {
	var out []string
	for _, o := range strings.Fields(line) {
		if strings.HasPrefix(o, "-D") || strings.HasPrefix(o, "--use_fast_math") || strings.HasPrefix(o, "--std") {
			out = append(out, o)
		}
	}
	return out
}
