package cupti

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

// result is CUptiResult.
type result int32

// The results which mean that the counters cannot be read, or that another program uses them.
const (
	errNotCompatible   result = 14
	errHardwareBusy    result = 26
	errVirtual         result = 33
	errPrivileges      result = 35
	errSubscribers     result = 39
	errVirtualNotGiven result = 40
)

// api is the table of CUPTI's functions.
type api struct {
	ResultString func(r result, text **byte) result `c:"cuptiGetResultString"`

	RegisterCallbacks func(requested, completed uintptr) result                     `c:"cuptiActivityRegisterCallbacks"`
	Enable            func(kind uint32) result                                      `c:"cuptiActivityEnable"`
	Disable           func(kind uint32) result                                      `c:"cuptiActivityDisable"`
	Timestamp         func(ns *uint64) result                                       `c:"cuptiGetTimestamp"`
	NextRecord        func(buffer *byte, valid uintptr, record **byte) result       `c:"cuptiActivityGetNextRecord"`
	FlushAll          func(flags uint32) result                                     `c:"cuptiActivityFlushAll"`
	Dropped           func(context uintptr, stream uint32, dropped *uintptr) result `c:"cuptiActivityGetNumDroppedRecords"`
	PushID            func(kind uint32, id uint64) result                           `c:"cuptiActivityPushExternalCorrelationId"`
	PopID             func(kind uint32, id *uint64) result                          `c:"cuptiActivityPopExternalCorrelationId"`
	Initialize        func(*initializeParams) result                                `c:"cuptiProfilerInitialize,optional"`
	ChipName          func(*chipNameParams) result                                  `c:"cuptiDeviceGetChipName,optional"`
	Availability      func(*availabilityParams) result                              `c:"cuptiProfilerGetCounterAvailability,optional"`
	HostInitialize    func(*hostInitializeParams) result                            `c:"cuptiProfilerHostInitialize,optional"`
	AddMetrics        func(*addMetricsParams) result                                `c:"cuptiProfilerHostConfigAddMetrics,optional"`
	ConfigSize        func(*configSizeParams) result                                `c:"cuptiProfilerHostGetConfigImageSize,optional"`
	Config            func(*configParams) result                                    `c:"cuptiProfilerHostGetConfigImage,optional"`
	Evaluate          func(*evaluateParams) result                                  `c:"cuptiProfilerHostEvaluateToGpuValues,optional"`
	RangeEnable       func(*rangeEnableParams) result                               `c:"cuptiRangeProfilerEnable,optional"`
	RangeDisable      func(*rangeParams) result                                     `c:"cuptiRangeProfilerDisable,optional"`
	RangeStart        func(*rangeParams) result                                     `c:"cuptiRangeProfilerStart,optional"`
	RangeStop         func(*rangeStopParams) result                                 `c:"cuptiRangeProfilerStop,optional"`
	RangeSetConfig    func(*setConfigParams) result                                 `c:"cuptiRangeProfilerSetConfig,optional"`
	RangeDecode       func(*decodeParams) result                                    `c:"cuptiRangeProfilerDecodeData,optional"`
	DataSize          func(*dataSizeParams) result                                  `c:"cuptiRangeProfilerGetCounterDataSize,optional"`
	DataInitialize    func(*dataInitializeParams) result                            `c:"cuptiRangeProfilerCounterDataImageInitialize,optional"`
	DataInfo          func(*dataInfoParams) result                                  `c:"cuptiRangeProfilerGetCounterDataInfo,optional"`
}

// A Library is a loaded CUPTI. A process loads it once and keeps it.
type Library struct {
	api  api
	path string

	activity activity
	counters *counters // nil until they are first used
}

// Open loads the first of the files that can be loaded.
func Open(files []string) (*Library, error) {
	var errs []error
	for _, file := range files {
		handle, err := purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		l := &Library{path: file}
		if err := bind(handle, &l.api); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, err))
			continue
		}
		return l, nil
	}
	return nil, errors.Join(errs...)
}

// bind sets the fields of table to the library's functions; optional ones remain nil if the library lacks them.
func bind(handle uintptr, table *api) error {
	v := reflect.ValueOf(table).Elem()
	for i := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("c"), ",")
		addr, err := purego.Dlsym(handle, name)
		if err == nil {
			purego.RegisterFunc(v.Field(i).Addr().Interface(), addr)
		} else if option != "optional" {
			return err
		}
	}
	return nil
}

// Error is an error of a CUPTI call.
type Error struct {
	Doing string
	Code  int
	Text  string // CUPTI's
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s (%d)", e.Doing, e.Text, e.Code) }

func (l *Library) check(r result, doing string) error {
	if r == 0 {
		return nil
	}
	var text *byte
	l.api.ResultString(r, &text)
	return &Error{doing, int(r), unix.BytePtrToString(text)}
}

// Explain returns a sentence that says why the counters cannot be read and how to change that.
func Explain(err error) string {
	e := new(Error)
	if !errors.As(err, &e) {
		return "Memory traffic and occupancy were not counted: " + err.Error() + "."
	}
	switch result(e.Code) {
	case errPrivileges, errVirtualNotGiven:
		return "Memory traffic and occupancy were not counted: only administrators may read the GPU's counters (ERR_NVGPUCTRPERM). " +
			"Start Jupyter as root, a container with --cap-add=SYS_ADMIN, or have the driver loaded with NVreg_RestrictProfilingToAdminUsers=0."
	case errHardwareBusy, errSubscribers:
		return "Memory traffic and occupancy were not counted: another profiler has the GPU's counters. End it, or use --times."
	case errVirtual, errNotCompatible:
		return "Memory traffic and occupancy were not counted: this GPU or its driver does not let CUPTI read its counters (" + e.Text + ")."
	}
	return "Memory traffic and occupancy were not counted: " + e.Error() + "."
}
