package gpu_test

import . "github.com/gopherwarp/gopherwarp/gpu"

var (
	fresh       = Fresh
	freshDevice = FreshDevice
	needDevice  = NeedDevice
	everywhere  = OnAll
	compileToy  = CompileToy
	sessions    = Sessions
	session     = Session
	succeed     = Succeed
)

const toySource = ToySource
