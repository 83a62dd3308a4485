package cupti

import (
	"errors"
	"math"
	"runtime"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// metrics are the metrics of a kernel, as far as the GPU supports them.
var metrics = []string{
	backend.MetricDuration, backend.MetricDRAMRead, backend.MetricDRAMWrite, backend.MetricOccupancy,
	backend.MetricLoadSector, backend.MetricStoreSector,
}

// counters is a range profiler configured for the metrics.
type counters struct {
	lib     *Library
	context uintptr
	pinned  runtime.Pinner // memory that CUPTI keeps pointers to
	host    uintptr
	names   []*byte
	metrics []string // names, without the terminating zero
	config  []byte
	data    []byte
	object  uintptr // not 0 while it is enabled
	running bool
}

// StartCounters reserves the counters of the context's GPU, for BeginCount, until StopCounters. Other processes cannot use them
// meanwhile.
func (l *Library) StartCounters(context uintptr, device int) error {
	if l.api.RangeEnable == nil || l.api.HostInitialize == nil || l.api.ChipName == nil || l.api.Availability == nil {
		return errors.New("this CUPTI is older than CUDA 12.6, and cannot count (" + l.path + ")")
	}
	if l.counters == nil {
		c := &counters{lib: l, context: context}
		if err := c.prepare(device); err != nil {
			return err
		}
		l.counters = c
	}
	return l.counters.enable()
}

// StopCounters releases the counters.
func (l *Library) StopCounters() error {
	c := l.counters
	if c == nil || c.object == 0 {
		return nil
	}
	p := rangeParams{object: c.object}
	c.object = 0
	return l.check(l.api.RangeDisable(sized(&p, &p.head, &p.object)), "releasing the GPU's counters")
}

// chip initializes CUPTI's profiler and returns its name of the GPU's chip.
func (l *Library) chip(device int) (*byte, error) {
	i := initializeParams{}
	i.size = unsafe.Sizeof(i)
	if err := l.check(l.api.Initialize(&i), "starting CUPTI's profiler"); err != nil {
		return nil, err
	}
	chip := chipNameParams{device: uintptr(device)}
	err := l.check(l.api.ChipName(sized(&chip, &chip.head, &chip.name)), "reading the name of the GPU's chip")
	return chip.name, err
}

// prepare configures the counters for the metrics on this GPU.
func (c *counters) prepare(device int) error {
	l := c.lib
	chip, err := l.chip(device)
	if err != nil {
		return err
	}
	a := availabilityParams{context: c.context}
	sized(&a, &a.head, &a.image)
	if err := l.check(l.api.Availability(&a), "reading the available counters"); err != nil {
		return err
	}
	image := make([]byte, a.imageSize)
	c.pinned.Pin(&image[0])
	a.image = &image[0]
	if err := l.check(l.api.Availability(&a), "reading the available counters"); err != nil {
		return err
	}
	h := hostInitializeParams{chip: chip, availability: &image[0]}
	if err := l.check(l.api.HostInitialize(sized(&h, &h.head, &h.host)), "choosing counters"); err != nil {
		return err
	}
	c.host = h.host
	for _, name := range metrics {
		text := append([]byte(name), 0)
		c.pinned.Pin(&text[0])
		one := []*byte{&text[0]}
		c.pinned.Pin(&one[0])
		p := addMetricsParams{host: c.host, names: &one[0], count: 1}
		if l.api.AddMetrics(sized(&p, &p.head, &p.count)) == 0 { // not every GPU supports all of them
			c.names = append(c.names, &text[0])
			c.metrics = append(c.metrics, name)
		}
	}
	if len(c.names) == 0 {
		return errors.New("this GPU supports none of the metrics")
	}
	c.pinned.Pin(&c.names[0])
	n := configSizeParams{host: c.host}
	if err := l.check(l.api.ConfigSize(sized(&n, &n.head, &n.n)), "choosing counters"); err != nil {
		return err
	}
	c.config = make([]byte, n.n)
	c.pinned.Pin(&c.config[0])
	p := configParams{host: c.host, n: n.n, image: &c.config[0]}
	return l.check(l.api.Config(sized(&p, &p.head, &p.image)), "choosing counters")
}

func (c *counters) enable() error {
	l := c.lib
	e := rangeEnableParams{context: c.context}
	if err := l.check(l.api.RangeEnable(sized(&e, &e.head, &e.object)), "reserving the GPU's counters"); err != nil {
		return err
	}
	c.object = e.object
	// The size must be read for each object; otherwise clearing the counters crashes the process.
	s := dataSizeParams{object: c.object, names: &c.names[0], count: uintptr(len(c.names)), maxRanges: 1, maxNodes: 1}
	if err := l.check(l.api.DataSize(sized(&s, &s.head, &s.n)), "choosing counters"); err != nil {
		return errors.Join(err, l.StopCounters())
	}
	if uintptr(len(c.data)) != s.n {
		c.data = make([]byte, s.n)
		c.pinned.Pin(&c.data[0])
	}
	return nil
}

// BeginCount makes CUPTI run the next kernel as often as is necessary to count all metrics.
func (l *Library) BeginCount() error {
	const autoRange, kernelReplay = 1, 2
	c := l.counters
	i := dataInitializeParams{object: c.object, n: uintptr(len(c.data)), data: &c.data[0]}
	if err := l.check(l.api.DataInitialize(sized(&i, &i.head, &i.data)), "clearing counters"); err != nil {
		return err
	}
	s := setConfigParams{
		object: c.object, configSize: uintptr(len(c.config)), config: &c.config[0], dataSize: uintptr(len(c.data)), data: &c.data[0],
		rangeMode: autoRange, replayMode: kernelReplay, maxRanges: 1, levels: 1, minLevel: 1,
	}
	if err := l.check(l.api.RangeSetConfig(sized(&s, &s.head, &s.target)), "setting counters"); err != nil {
		return err
	}
	p := rangeParams{object: c.object}
	err := l.check(l.api.RangeStart(sized(&p, &p.head, &p.object)), "starting counters")
	c.running = err == nil
	return err
}

// EndCount returns the metrics of the kernel launched since BeginCount.
func (l *Library) EndCount() (backend.Counters, error) {
	c := l.counters
	if !c.running {
		return nil, nil
	}
	c.running = false
	s := rangeStopParams{object: c.object}
	if err := l.check(l.api.RangeStop(sized(&s, &s.head, &s.all)), "stopping counters"); err != nil {
		return nil, err
	}
	d := decodeParams{object: c.object}
	if err := l.check(l.api.RangeDecode(sized(&d, &d.head, &d.dropped)), "reading counters"); err != nil {
		return nil, err
	}
	i := dataInfoParams{data: &c.data[0], n: uintptr(len(c.data))}
	if err := l.check(l.api.DataInfo(sized(&i, &i.head, &i.ranges)), "reading counters"); err != nil {
		return nil, err
	}
	if i.ranges == 0 {
		return nil, errors.New("CUPTI has recorded no kernel")
	}
	values := make([]float64, len(c.names))
	e := evaluateParams{host: c.host, data: &c.data[0], n: uintptr(len(c.data)), names: &c.names[0], count: uintptr(len(c.names)), values: &values[0]}
	if err := l.check(l.api.Evaluate(sized(&e, &e.head, &e.values)), "reading counters"); err != nil {
		return nil, err
	}
	out := backend.Counters{}
	for i, name := range c.metrics {
		if !math.IsNaN(values[i]) && !math.IsInf(values[i], 0) {
			out[name] = values[i]
		}
	}
	return out, nil
}
