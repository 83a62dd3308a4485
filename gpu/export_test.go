package gpu

// What the tests outside this package, which use check and prof, need of those in it.
var (
	Fresh       = fresh
	FreshDevice = freshDevice
	NeedDevice  = needDevice
	OnAll       = everywhere
	CompileToy  = compileToy
	Sessions    = sessions
	Session     = session
	Succeed     = check
)

const (
	ToySource    = toySource
	NVTXVariable = nvtxVariable
)

// KillProcess ends the device process and waits for that.
func (d *Device) KillProcess() {
	p := d.link.Process()
	p.Kill()
	<-p.Down
}
