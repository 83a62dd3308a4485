package gpu_test

import . "github.com/gopherwarp/gopherwarp/gpu"

var (
	fresh       = Fresh
	freshDevice = FreshDevice
	needDevice  = NeedDevice
	everywhere  = OnAll
	compileToy  = CompileToy
	compileOne  = CompileOne
	sessions    = Sessions
	session     = Session
	succeed     = Succeed
	output      = Output
)

const toySource = ToySource
