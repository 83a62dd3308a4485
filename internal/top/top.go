package top

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/memory"
	"github.com/gopherwarp/gopherwarp/internal/render"
	"github.com/gopherwarp/gopherwarp/internal/statusfile"
)

// A Kernel is a kernel that runs, with all processes that it has started.
type Kernel struct {
	PID       int       `json:"pid"`
	User      string    `json:"user"`
	Notebook  string    `json:"notebook"` // its path, or the directory in which the kernel runs
	Busy      bool      `json:"busy"`
	Since     time.Time `json:"since"`     // of being busy or idle
	Memory    uint64    `json:"memory"`    // bytes of host memory; what processes share is divided among them
	Processes int       `json:"processes"` // that the kernel consists of
	Devices   []Device  `json:"devices"`
}

// A Device is a device that a session uses.
type Device struct {
	Name      string `json:"name"`
	Product   string `json:"product"`
	Reserved  uint64 `json:"reserved"`       // bytes of its memory
	Suspended uint64 `json:"suspended"`      // bytes that are in host memory
	Held      string `json:"held,omitempty"` // why it was not suspended although it was idle
	Total     uint64 `json:"total"`          // bytes of its memory; 0 if unknown
	PID       int    `json:"pid"`            // of the device process; 0 if there is none
	Current   bool   `json:"current"`        // whether the session uses it unless it names another
}

// Kernels returns the kernels of this user, or for root those of all users, in the order of their numbers. Of other users' kernels only the
// number, the user and the number of processes are known.
func Kernels() ([]Kernel, error) {
	processes, err := list()
	if err != nil {
		return nil, err
	}
	var kernels []Kernel
	for _, p := range processes {
		if !isKernel(p.args) {
			continue
		}
		k := Kernel{PID: p.pid, User: userName(p.uid), Notebook: p.notebook()}
		for _, line := range statusfile.Of(p.pid, statusfile.Kernel) {
			k.setState(line)
		}
		for _, pid := range family(processes, p.pid) {
			k.Processes++
			k.Memory += uint64(memory.Proportional(pid))
			k.Devices = append(k.Devices, DevicesOf(pid)...)
		}
		kernels = append(kernels, k)
	}
	slices.SortFunc(kernels, func(a, b Kernel) int { return a.PID - b.PID })
	return kernels, nil
}

func (k *Kernel) setState(fields []string) {
	if len(fields) < 2 {
		return
	}
	k.Busy = fields[0] == "busy"
	if since, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
		k.Since = time.Unix(since, 0)
	}
}

// DevicesOf returns the devices that a session process uses.
func DevicesOf(session int) (list []Device) {
	for _, line := range statusfile.Of(session, statusfile.Device) {
		if d, ok := deviceOf(line); ok {
			list = append(list, d)
		}
	}
	return list
}

func deviceOf(fields []string) (d Device, ok bool) {
	if len(fields) < 5 {
		return d, false
	}
	d = Device{Name: fields[0], Product: fields[1], Held: fields[4]}
	var errs [2]error
	d.Reserved, errs[0] = strconv.ParseUint(fields[2], 10, 64)
	d.Suspended, errs[1] = strconv.ParseUint(fields[3], 10, 64)
	if len(fields) > 7 { // an older version has fewer
		d.Total, _ = strconv.ParseUint(fields[5], 10, 64)
		d.PID, _ = strconv.Atoi(fields[6])
		d.Current = fields[7] == "current"
	}
	return d, errs[0] == nil && errs[1] == nil
}

// process is what /proc has about a process.
type process struct {
	pid, parent int
	uid         uint32
	args        []string
}

// list returns the processes of this machine. Those that exit meanwhile are omitted.
func list() ([]process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	var all []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		dir := filepath.Join("/proc", e.Name())
		status, err := os.ReadFile(filepath.Join(dir, "status"))
		if err != nil {
			continue
		}
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil {
			continue
		}
		p := process{pid: pid, args: strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")}
		for row := range strings.Lines(string(status)) {
			name, rest, _ := strings.Cut(row, ":")
			words := strings.Fields(rest)
			if len(words) == 0 {
				continue
			}
			switch name {
			case "PPid":
				p.parent, _ = strconv.Atoi(words[0])
			case "Uid":
				uid, _ := strconv.ParseUint(words[0], 10, 32)
				p.uid = uint32(uid)
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// isKernel reports whether a command line is that of a kernel.
func isKernel(args []string) bool {
	return len(args) >= 3 && filepath.Base(args[0]) == "gopherwarp" && args[1] == "kernel"
}

// family returns the process and all that it has started, directly or not.
func family(all []process, pid int) []int {
	found := []int{pid}
	for i := 0; i < len(found); i++ {
		for _, p := range all {
			if p.parent == found[i] {
				found = append(found, p.pid)
			}
		}
	}
	return found
}

// notebook returns the path of the notebook, which Jupyter's servers put in the environment, or the process's directory.
func (p process) notebook() string {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
	if err == nil {
		for entry := range strings.SplitSeq(string(env), "\x00") {
			if name, ok := strings.CutPrefix(entry, "JPY_SESSION_NAME="); ok {
				return name
			}
		}
	}
	dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", p.pid))
	if err != nil {
		return ""
	}
	return dir
}

func userName(uid uint32) string {
	id := strconv.FormatUint(uint64(uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return id
}

// Table returns the kernels as a table, with their times until now.
func Table(kernels []Kernel, now time.Time) *render.Table {
	t := &render.Table{Columns: []render.Column{
		{Name: "USER"},
		{Name: "PID", Align: render.Right},
		{Name: "STATE"},
		{Name: "FOR", Align: render.Right},
		{Name: "MEMORY", Align: render.Right},
		{Name: "DEVICE"},
		{Name: "ON DEVICE", Align: render.Right},
		{Name: "SUSPENDED", Align: render.Right},
		{Name: "NOTEBOOK"},
	}}
	for _, k := range kernels {
		state, since := "?", ""
		if !k.Since.IsZero() {
			state, since = "idle", now.Sub(k.Since).Truncate(time.Second).String()
			if k.Busy {
				state = "busy"
			}
		}
		row := []string{k.User, strconv.Itoa(k.PID), state, since, bytesOr(k.Memory), "", "", "", k.Notebook}
		if len(k.Devices) == 0 {
			t.Rows = append(t.Rows, row)
		}
		for i, d := range k.Devices {
			if i > 0 {
				row = make([]string, len(row))
			}
			row[5], row[6], row[7] = d.Name, bytesOr(d.Reserved), bytesOr(d.Suspended)
			t.Rows = append(t.Rows, slices.Clone(row))
		}
	}
	return t
}

func bytesOr(n uint64) string {
	if n == 0 {
		return "-"
	}
	return render.Bytes(n)
}
