package kernel

// asides are the requests that do not wait for the cells before them: a front end sends them while a user types. While there are cells
// they have a separate queue.
var asides = map[string]bool{
	"complete_request":    true,
	"inspect_request":     true,
	"is_complete_request": true,
	"comm_info_request":   true,
}

// talks are the messages of comms. They have a queue of their own, so that a cell can react to a widget while it runs. Cells wait for the
// messages that came before them.
var talks = map[string]bool{
	"comm_open":  true,
	"comm_msg":   true,
	"comm_close": true,
}
