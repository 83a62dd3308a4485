package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	// soakCells is the number of cells in the notebook of TestSoak.
	soakCells = 300
	// maxHeldPerCell is the maximum private memory that a process may keep per cell, in KiB.
	maxHeldPerCell = 50
)

// soakCell returns a cell of a notebook in which a user works for long: new variables,
// functions, some of them declared again, types, goroutines, output, errors.
func soakCell(i int) string {
	switch i % 6 {
	case 0:
		return fmt.Sprintf("x%d := make([]float64, 1000)\nfor i := range x%[1]d { x%[1]d[i] = float64(i * %[1]d) }\nx%[1]d[3]", i)
	case 1:
		return fmt.Sprintf("func sum(v []float64) (s float64) { for _, x := range v { s += x * %d }; return s }\nfmt.Println(sum(x%d))", i, i-1)
	case 2:
		return fmt.Sprintf("type point%d struct{ x, y int }\nfunc (p point%[1]d) norm() int { return p.x*p.x + p.y*p.y }\npoint%[1]d{3, %[1]d}.norm()", i)
	case 3:
		return fmt.Sprintf("c%d := make(chan int)\ngo func() { for i := range 100 { c%[1]d <- i }; close(c%[1]d) }()\nn%[1]d := 0\nfor v := range c%[1]d { n%[1]d += v }\nfmt.Println(n%[1]d)", i)
	case 4:
		return fmt.Sprintf("m%d := map[string]int{}\nfor _, w := range strings.Fields(strings.Repeat(\"a b c \", 100)) { m%[1]d[w]++ }\nfmt.Println(string(must(json.Marshal(m%[1]d))))", i)
	}
	return memoryCell(i)
}

// memoryCell returns a cell that prints the private memory of the session and the
// kernel, in KiB.
func memoryCell(i int) string {
	return fmt.Sprintf(`func held%d(pid int) string {
	_, after, _ := strings.Cut(string(must(os.ReadFile(fmt.Sprintf("/proc/%%d/status", pid)))), "RssAnon:")
	return strings.Fields(after)[0]
}
runtime.GC()
fmt.Println("memory", held%[1]d(os.Getpid()), held%[1]d(os.Getppid()))`, i)
}

func TestSoak(t *testing.T) {
	var doc struct {
		Major    int   `json:"nbformat"`
		Minor    int   `json:"nbformat_minor"`
		Metadata any   `json:"metadata"`
		Cells    []any `json:"cells"`
	}
	doc.Major, doc.Minor, doc.Metadata = 4, 5, map[string]any{}
	for i := range soakCells {
		doc.Cells = append(doc.Cells, map[string]any{
			"cell_type": "code", "id": fmt.Sprint("c", i), "metadata": map[string]any{}, "outputs": []any{},
			"execution_count": nil, "source": soakCell(i),
		})
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "soak.ipynb")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program, "run", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var done struct {
		Cells []struct {
			Outputs []struct {
				Text []string
			}
		}
	}
	if data, err = os.ReadFile(file); err == nil {
		err = json.Unmarshal(data, &done)
	}
	if err != nil {
		t.Fatal(err)
	}
	var held [2][]int // of the session and of the kernel
	for _, c := range done.Cells {
		for _, o := range c.Outputs {
			var words []string
			if len(o.Text) > 0 {
				words = strings.Fields(o.Text[0])
			}
			if len(words) == 3 && words[0] == "memory" {
				for i, word := range words[1:] {
					kib, err := strconv.Atoi(word)
					if err != nil {
						t.Fatal(err)
					}
					held[i] = append(held[i], kib)
				}
			}
		}
	}
	for i, who := range []string{"the session", "the kernel"} {
		t.Logf("%s holds, in KiB: %d", who, held[i])
		if len(held[i]) != soakCells/6 {
			t.Fatalf("%d cells told what %s holds, want %d", len(held[i]), who, soakCells/6)
		}
		// Each cell leaves its code and information on its names.
		first, last := held[i][4], held[i][len(held[i])-1]
		if perCell := float64(last-first) / (soakCells - 30); perCell > maxHeldPerCell {
			t.Errorf("%s holds %.0f KiB more with each cell, want at most %d", who, perCell, maxHeldPerCell)
		}
	}
}
