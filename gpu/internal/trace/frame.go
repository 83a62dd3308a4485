package trace

// A Frame is what the variables of a lane's function are when a line begins.
type Frame struct {
	Step     int     `json:"s"`
	Lane     int     `json:"l"`
	Function string  `json:"f"`
	CFA      uint64  `json:"a"` // the canonical frame address: larger for the caller of a function
	Locals   []Local `json:"v,omitempty"`
}

// A Local is a parameter or a variable of a function.
type Local struct {
	Name  string `json:"n"`
	Type  string `json:"t"`
	Value string `json:"v"`
	Line  int    `json:"d,omitempty"` // of the declaration, before which it has no value; 0 for a parameter
}

// FrameBytes are bytes of a function's frame.
type FrameBytes struct {
	CFA   uint64
	Start uint64 // the address of Data
	Data  []byte
}

// mostLocals is the maximum number of variables that are kept of a launch.
const mostLocals = 500_000

// addBytes adds bytes to the frame of the step that a lane has begun last.
func (w *warpSteps) addBytes(e *Event) {
	lane := e.Thread % lanes
	if len(w.stretches) == 0 || !w.fresh[lane] {
		return
	}
	list := w.stretches[len(w.stretches)-1][lane]
	if len(list) == 0 {
		return
	}
	f := &list[len(list)-1].frame
	if f.Data == nil {
		f.Start = e.Address
	}
	for _, half := range [...]uint64{e.Before, e.After} {
		for i := range 8 {
			f.Data = append(f.Data, byte(half>>(8*i)))
		}
	}
}

// frames adds the variables of the lanes of a step.
func (b *builder) frames(w *Warp, number int, m *meeting) {
	if b.launch.Locals == nil {
		return
	}
	for lane, s := range m.lanes {
		if s == nil || s.frame.Data == nil || b.locals > mostLocals {
			continue
		}
		f := Frame{Step: number, Lane: lane, CFA: s.frame.CFA}
		f.Function, f.Locals = b.launch.Locals(uint32(s.pc), s.frame)
		b.locals += len(f.Locals)
		w.Frames = append(w.Frames, f)
		if b.locals > mostLocals {
			b.note("the variables of later steps are left out")
		}
	}
}
