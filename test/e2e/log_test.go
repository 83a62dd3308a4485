package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLog runs a cell and a kernel, and compares the logs of all processes.
func TestLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	n := open(t, "GOPHERWARP_LOG=session,cells,wire,device", "GOPHERWARP_LOG_FILE="+file)
	n.run("%%cuda\n__global__ void one(int *x) { *x = 1; }")
	n.run("out := []int32{0}\none.Launch(gpu.For(1, 1), gpu.InOut(out))")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	log := string(data)
	for _, want := range []string{
		`process=kernel .*topic=session child=\d+`,
		`msg=split process=kernel .*topic=cells cell=cell\[3\]`,
		`msg=command process=kernel .*topic=cells program=compile .*took=`,
		`msg=compiled process=kernel .*topic=cells cell=cell\[3\] .*took=`,
		`msg=in process=kernel .*topic=wire channel=shell type=execute_request`,
		`msg=out process=kernel .*topic=wire channel=iopub type=status`,
		`msg=loaded process=session .*topic=session cell=cell\[3\] .*took=`,
		`msg=command process=device .*topic=device op=Launch .*took=`,
	} {
		if !regexp.MustCompile(want).MatchString(log) {
			t.Errorf("no line matches %s", want)
		}
	}
	for line := range strings.Lines(log) {
		if !strings.HasPrefix(line, "time=") || strings.Count(line, "time=") != 1 {
			t.Errorf("a line of several, or of none: %s", line)
		}
	}
	if t.Failed() {
		t.Log(log)
	}
}

// TestUnknownLogTopic checks that the first cell reports the error.
func TestUnknownLogTopic(t *testing.T) {
	n := start(t, "GOPHERWARP_LOG=cells,cell")
	o := n.cell("0;")
	if !strings.Contains(o.traceback, `unknown topic "cell": use some of session, cells, wire, device`) {
		t.Errorf("%s", o.traceback)
	}
}
