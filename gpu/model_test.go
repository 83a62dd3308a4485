package gpu

import (
	"strings"
	"testing"
)

// The simulator's models are chosen by name, and each of several devices is a process of its
// own that comes back as what it was.
func TestSimulatorModels(t *testing.T) {
	first := fresh(t)
	defer func() {
		if err := Use(first.Name()); err != nil {
			t.Error(err)
		}
	}()
	for _, name := range []string{"sim:t4x2", "sim:t4x2:1"} {
		if err := Use(name); err != nil {
			t.Fatal(err)
		}
		d, err := Current()
		if err != nil || d.Name() != name || d.Properties().ComputeMajor != 7 || !strings.Contains(d.String(), "Tesla T4") {
			t.Errorf("%s is %v, %v", name, d, err)
		}
		if x := ToDevice([]int32{7}); x.Device() != d || x.ToHost()[0] != 7 {
			t.Errorf("%s: a buffer on %v", name, x.Device())
		}
	}
	list, err := Devices()
	if err != nil || len(list) < 2 || list[len(list)-2].Name() != "sim:t4x2" || list[len(list)-1].Name() != "sim:t4x2:1" {
		t.Errorf("devices: %v, %v", list, err)
	}
	for name, want := range map[string]string{
		"sim:riva128":  "cannot imitate \"riva128\"",
		"sim:t4x2:2":   "no device number 2",
		"sim:T4":       "as in sim:t4",
		"sim:random=x": "no whole number",
	} {
		if err := Use(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Use(%q): got %v, want %q", name, err, want)
		}
	}
}
