package pjrt

// function is the position of a function in PJRT_Api.
type function int

const (
	errorDestroy             function = 0
	errorMessage             function = 1
	pluginInitialize         function = 3
	eventDestroy             function = 5
	eventAwait               function = 8
	clientCreate             function = 10
	clientDestroy            function = 11
	clientPlatformName       function = 12
	clientAddressableDevices function = 16
	clientCompile            function = 20
	clientBufferFromHost     function = 22
	executableDestroy        function = 40
	executableNumOutputs     function = 44
	loadedExecutableDestroy  function = 50
	loadedGetExecutable      function = 51
	loadedExecutableExecute  function = 55
	bufferDestroy            function = 58
	bufferElementType        function = 59
	bufferDimensions         function = 60
	bufferToHost             function = 70
	bufferReadyEvent         function = 72
	bufferUnsafePointer      function = 73
	clientCreateViewOfBuffer function = 93
	functions                         = 94 // as many as are read from the table
)

const (
	extensionStream     = 3 // PJRT_Extension_Type_Stream
	immutableDuringCall = 0 // PJRT_HostBufferSemantics_kImmutableOnlyDuringCall
	valueInts           = 2 // PJRT_NamedValue_kInt64List
	valueBool           = 4 // PJRT_NamedValue_kBool
)

// api is the beginning of PJRT_Api.
type api struct {
	header
	version struct {
		header
		major, minor int32
	}
	functions [functions]uintptr
}

// extension is PJRT_Extension_Base with the functions of PJRT_Stream_Extension, which others do not have.
type extension struct {
	size       uintptr
	kind       int32
	next       *extension
	_          uintptr // getStream
	waitStream uintptr
}

// header is the beginning of all arguments.
type header struct {
	size      uintptr
	extension *extension
}

func (h *header) head() *header { return h }

// The arguments of functions. Pointers are to Go's memory, or to the plugin's if they are results; uintptr are objects of the plugin. What is
// not used here has a comment instead of a name.

type errorArgs struct {
	header
	err         uintptr
	message     *byte
	messageSize uintptr
}

type namedValue struct {
	header
	name     *byte
	nameSize uintptr
	kind     int32
	value    uintptr // an address, or a bool in its first byte
	length   uintptr
}

type clientCreateArgs struct {
	header
	options    *namedValue
	numOptions uintptr
	_          [4]uintptr // callbacks
	client     uintptr
	_          [2]uintptr // try
}

// objectArgs are the arguments of functions that take an object alone.
type objectArgs struct {
	header
	object uintptr
}

// objectResultArgs are those of functions that return one value of an object.
type objectResultArgs struct {
	header
	object uintptr
	result uintptr
}

type platformNameArgs struct {
	header
	client uintptr
	name   *byte
	size   uintptr
}

type devicesArgs struct {
	header
	client  uintptr
	devices *uintptr
	number  uintptr
}

type program struct {
	header
	code       *byte
	codeSize   uintptr
	format     *byte
	formatSize uintptr
}

type compileArgs struct {
	header
	client      uintptr
	program     *program
	options     *byte
	optionsSize uintptr
	executable  uintptr
}

type executeOptions struct {
	header
	_               [2]uintptr // callbacks
	_               uintptr    // numSend
	_               uintptr    // numReceive
	_               int32      // launch
	nonDonatable    *int64
	numNonDonatable uintptr
	_               uintptr    // context
	_               uintptr    // location
	_               [3]uintptr // tasks
}

type executeArgs struct {
	header
	executable uintptr
	options    *executeOptions
	arguments  **uintptr // a list for each device
	numDevices uintptr
	numArgs    uintptr
	results    **uintptr
	events     *uintptr
	device     uintptr
}

type viewArgs struct {
	header
	client   uintptr
	memory   uintptr
	dims     *int64
	numDims  uintptr
	dtype    Type
	_        uintptr // layout
	device   uintptr
	onDelete [2]uintptr
	_        uintptr // stream
	buffer   uintptr
	_        uintptr // space
}

type fromHostArgs struct {
	header
	client    uintptr
	data      *byte
	dtype     Type
	dims      *int64
	numDims   uintptr
	_         *int64  // strides
	_         uintptr // numStrides
	semantics int32
	device    uintptr
	_         uintptr // space
	_         uintptr // layout
	done      uintptr
	buffer    uintptr
}

type dimensionsArgs struct {
	header
	buffer  uintptr
	dims    *int64
	numDims uintptr
}

type toHostArgs struct {
	header
	buffer uintptr
	_      uintptr // layout
	data   *byte
	size   uintptr
	event  uintptr
}

// waitStreamArgs has no extension, unlike all others.
type waitStreamArgs struct {
	size   uintptr
	stream uintptr
	buffer uintptr
}
