package device

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sanitizer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/server"
	"github.com/gopherwarp/gopherwarp/internal/logging"
)

// The exit statuses of Main.
const (
	exitOK    = 0
	exitFault = 1 // the device failed; the session was informed
	exitUsage = 2
)

// A Named is a backend with its name for the flag --backend.
type Named struct {
	Name string
	New  func() backend.Backend
}

// Main serves a device to the session that started this process, or lists the available devices, and returns the exit status. The
// arguments are those after "device":
//
//	--backend auto|cuda|sim --ordinal N --socket FD --segment FD
//	--list
//	--watched --backend cuda|sim --ordinal N
func Main(args []string) int {
	if os.Getenv("GOGC") == "" {
		// Of Go's memory the process has little, and commands make a bit of garbage each: with the usual 100 a program of small arrays would
		// wait for the collector every few milliseconds.
		debug.SetGCPercent(800)
	}
	return Run(args, backends, os.Stdout, os.Stderr)
}

// Run is like Main but selects from the given backends, in the order in which "auto" tries them, and writes to stdout and stderr.
func Run(args []string, choice []Named, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("gopherwarp device", flag.ContinueOnError)
	flags.SetOutput(stderr)
	name := flags.String("backend", "auto", "what runs kernels: auto, "+names(choice))
	ordinal := flags.Int("ordinal", 0, "number of the device, from 0")
	socket := flags.Int("socket", -1, "inherited descriptor of the socket to the session")
	segment := flags.Int("segment", -1, "inherited descriptor of the command ring")
	model := flags.String("model", "", "what the simulator imitates: t4, h200x2, reverse, …")
	watched := flags.Bool("watched", false, "execute launches that are to be checked, received on descriptor 3")
	list := flags.Bool("list", false, "print the names of the devices, one a line")
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	if *list {
		return printDevices(choice, *model, stdout, stderr)
	}
	if *watched {
		return serveWatched(choice, *name, *model, *ordinal, stderr)
	}
	if *socket < 0 || *segment < 0 {
		fmt.Fprintln(stderr, "gopherwarp device is started by a session, which gives it --socket and --segment; --list works without")
		return exitUsage
	}
	// Interrupts are for the session, which shares the terminal; the session ends this process if it has to.
	signal.Ignore(syscall.SIGINT, syscall.SIGQUIT)

	b, note, err := choose(choice, *name)
	if err == nil {
		b, err = imitate(b, *model)
	}
	if err != nil {
		_ = server.Refuse(*socket, err)
		return exitFault
	}
	logs, err := logging.Open("device")
	if err != nil {
		fmt.Fprintln(stderr, "gopherwarp device: nothing is logged:", err)
	}
	config := server.Config{Backend: b, Ordinal: *ordinal, Note: note, Socket: *socket, Segment: *segment}
	if logs.On(logging.Device) {
		config.Log = logs.Of(logging.Device)
	}
	err = server.Serve(config)
	if err != nil {
		// The session was informed of a fault, or of why a device did not open.
		return exitFault
	}
	return exitOK
}

// serveWatched executes launches that are to be checked.
func serveWatched(choice []Named, name, model string, ordinal int, stderr io.Writer) int {
	b, _, err := choose(choice, name)
	if err == nil {
		b, err = imitate(b, model)
	}
	if err == nil {
		go exitAlone(sanitizer.JobsFD)
		err = sanitizer.Serve(b, ordinal, os.NewFile(sanitizer.JobsFD, "jobs"), os.NewFile(sanitizer.AnswersFD, "answers"))
	}
	if err != nil {
		fmt.Fprintf(stderr, "gopherwarp device: check launches: %v\n", err)
		return exitFault
	}
	return exitOK
}

// alone is the time that the process has for exiting after the pipe with its jobs was closed.
const alone = 20 * time.Second

// exitAlone exits the process, whatever its kernels do, some time after the other end of a pipe was closed.
func exitAlone(pipe int) {
	fds := []unix.PollFd{{Fd: int32(pipe)}}
	for {
		if _, err := unix.Poll(fds, -1); err == unix.EINTR {
			continue
		}
		time.Sleep(alone)
		os.Exit(exitFault)
	}
}

// choose returns the backend of that name. For "auto" it is the first that has a device, and note says why those before it have none.
func choose(choice []Named, name string) (b backend.Backend, note string, err error) {
	var reasons []string
	for _, c := range choice {
		if name != "auto" && name != c.Name {
			continue
		}
		b := c.New()
		if name == c.Name {
			return b, "", nil
		}
		n, err := b.Count()
		if n > 0 {
			return b, strings.Join(reasons, "; "), nil
		}
		if err != nil {
			reasons = append(reasons, c.Name+": "+err.Error())
		} else {
			reasons = append(reasons, c.Name+": no device")
		}
	}
	if name != "auto" {
		return nil, "", fmt.Errorf("there is no device kind %q: the choices are auto, %s (cuda:1 is the second GPU)", name, names(choice))
	}
	return nil, "", errors.New("no device can be used: " + strings.Join(reasons, "; "))
}

// imitate returns the backend for the model that follows the device's name.
func imitate(b backend.Backend, model string) (backend.Backend, error) {
	if model == "" {
		return b, nil
	}
	m, ok := b.(interface {
		Model(spec string) (backend.Backend, error)
	})
	if !ok {
		return nil, fmt.Errorf("device %s:%s: only the simulator imitates other devices", b.Name(), model)
	}
	return m.Model(model)
}

func printDevices(choice []Named, model string, stdout, stderr io.Writer) int {
	for _, c := range choice {
		b, name := c.New(), c.Name
		if c.Name == "sim" && model != "" {
			var err error
			if b, err = imitate(b, model); err != nil {
				fmt.Fprintf(stderr, "gopherwarp device: %v\n", err)
				continue
			}
			name = b.Name()
		}
		n, err := b.Count()
		if err != nil {
			fmt.Fprintf(stderr, "gopherwarp device: %s: %v\n", c.Name, err)
		}
		for i := range n {
			if c.Name == "sim" && i == 0 {
				fmt.Fprintln(stdout, name)
			} else {
				fmt.Fprintf(stdout, "%s:%d\n", name, i)
			}
		}
	}
	return exitOK
}

func names(choice []Named) string {
	var list []string
	for _, c := range choice {
		list = append(list, c.Name)
	}
	return strings.Join(list, ", ")
}
