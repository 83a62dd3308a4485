package sim

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A model is a GPU whose limits the simulator can have.
type model struct {
	name, title                    string
	major, minor                   int
	multiProcessors                int
	threadsPerMultiProcessor       int
	blocksPerMultiProcessor        int
	sharedPerMultiProcessor        int // KiB
	sharedPerBlock, sharedReserved int // KiB; sharedPerBlock is the opt-in maximum, sharedReserved is used by the system in each block
	memory                         uint64
	l2                             int // KiB
	clock                          int // MHz
	memoryClock, memoryBus         int // MHz, bits
}

// The figures of models are from the table of compute capabilities in NVIDIA's CUDA programming
// guide, and from the products' data sheets.
var models = []model{
	{"gtx1080", "GeForce GTX 1080", 6, 1, 20, 2048, 32, 96, 48, 0, 8 << 30, 2048, 1733, 5005, 256},
	{"v100", "Tesla V100", 7, 0, 80, 2048, 32, 96, 96, 0, 16 << 30, 6144, 1530, 877, 4096},
	{"t4", "Tesla T4", 7, 5, 40, 1024, 16, 64, 64, 0, 15 << 30, 4096, 1590, 5001, 256},
	{"a100", "A100", 8, 0, 108, 2048, 32, 164, 163, 1, 40 << 30, 40960, 1410, 1215, 5120},
	{"rtx3090", "GeForce RTX 3090", 8, 6, 82, 1536, 16, 100, 99, 1, 24 << 30, 6144, 1695, 9751, 384},
	{"rtx4090", "GeForce RTX 4090", 8, 9, 128, 1536, 24, 100, 99, 1, 24 << 30, 73728, 2520, 10501, 384},
	{"h100", "H100", 9, 0, 132, 2048, 32, 228, 227, 1, 80 << 30, 51200, 1980, 2619, 5120},
	{"h200", "H200", 9, 0, 132, 2048, 32, 228, 227, 1, 141 << 30, 61440, 1980, 3201, 6144},
	{"b200", "B200", 10, 0, 148, 2048, 32, 228, 227, 1, 180 << 30, 126 << 10, 1965, 3996, 8192},
}

// A choice is the part of a device name after "sim:": a model, a number of devices and an order of threads.
type choice struct {
	spec  string
	model *model // nil if no model was chosen
	count int
	order manner
}

// parseChoice parses words separated by commas: a model with the number of devices
// ("h200", "t4x2", "x4"), and "forward", "reverse", "random" or "random=SEED".
func parseChoice(spec string) (choice, error) {
	c := choice{spec: spec, count: 1}
	for word := range strings.SplitSeq(spec, ",") {
		seed, seeded := strings.CutPrefix(word, "random=")
		switch {
		case word == "" || word == "forward":
		case word == "reverse":
			c.order = manner{order: backward}
		case word == "random":
			c.order = manner{order: shuffled, seed: 1}
		case seeded:
			n, err := strconv.ParseUint(seed, 10, 64)
			if err != nil {
				return c, fmt.Errorf("the seed in %q is no whole number", word)
			}
			c.order = manner{order: shuffled, seed: n}
		default:
			if err := c.readModel(word); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

const maxDevices = 64

// readModel parses a model's name and the number of devices.
func (c *choice) readModel(word string) error {
	name := word
	if i := strings.LastIndexByte(word, 'x'); i >= 0 {
		if n, err := strconv.Atoi(word[i+1:]); err == nil && !isModel(word) {
			if n < 1 || n > maxDevices {
				return fmt.Errorf("%q asks for %d devices: from 1 to %d can be simulated", word, n, maxDevices)
			}
			name, c.count = word[:i], n
		}
	}
	if name == "" {
		return nil
	}
	for i := range models {
		if models[i].name == name {
			c.model = &models[i]
			return nil
		}
	}
	var names []string
	for _, m := range models {
		names = append(names, m.name)
	}
	return fmt.Errorf("the simulator cannot imitate %q: it has %s, and the words reverse and random=SEED for the order of threads", name, strings.Join(names, ", "))
}

func isModel(word string) bool {
	return slices.ContainsFunc(models, func(m model) bool { return m.name == word })
}

// Model returns a simulator with other devices, for a specification as parseChoice reads it. It
// implements the part of device names after the colon, as in "sim:t4".
func (simulator) Model(spec string) (backend.Backend, error) {
	c, err := parseChoice(spec)
	if err != nil {
		return nil, errorf(codeInvalidDevice, "device sim:%s: %v", spec, err)
	}
	return simulator{c}, nil
}

// apply sets the model's limits in a device's properties.
func (m *model) apply(p *backend.Properties) {
	p.Name = fmt.Sprintf("gopherwarp simulator of %s %s (%d cores)", article(m.title), m.title, runtime.GOMAXPROCS(0))
	p.ComputeMajor, p.ComputeMinor = m.major, m.minor
	p.MultiProcessorCount = m.multiProcessors
	p.MaxThreadsPerMultiProcessor = m.threadsPerMultiProcessor
	p.MaxBlocksPerMultiProcessor = m.blocksPerMultiProcessor
	p.SharedMemPerMultiprocessor = m.sharedPerMultiProcessor << 10
	p.SharedMemPerBlockOptin = m.sharedPerBlock << 10
	p.ReservedSharedMemPerBlock = m.sharedReserved << 10
	p.L2CacheSize = m.l2 << 10
	p.ClockRate = m.clock * 1000
	p.MemoryClockRate, p.MemoryBusWidth = m.memoryClock*1000, m.memoryBus
	// The host's memory remains the maximum.
	p.TotalMemory = min(p.TotalMemory, m.memory)
	p.ClusterLaunch = 0
	if m.major >= 9 {
		p.ClusterLaunch = 1
	}
}

// article returns the indefinite article before a product whose first letter is spelled out, such as H200.
func article(title string) string {
	if title != "" && strings.Contains("AEFHILMNORSX", title[:1]) {
		return "an"
	}
	return "a"
}
