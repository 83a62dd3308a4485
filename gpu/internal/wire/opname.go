package wire

import "fmt"

var opNames = map[Op]string{
	OpMessage:        "Message",
	OpLaunch:         "Launch",
	OpGraphLaunch:    "GraphLaunch",
	OpGraphDestroy:   "GraphDestroy",
	OpWrite:          "Write",
	OpRead:           "Read",
	OpUpload:         "Upload",
	OpDownload:       "Download",
	OpCopy:           "Copy",
	OpUnpin:          "Unpin",
	OpFill:           "Fill",
	OpReleaseChunk:   "ReleaseChunk",
	OpUnload:         "Unload",
	OpStreamCreate:   "StreamCreate",
	OpStreamDestroy:  "StreamDestroy",
	OpStreamSync:     "StreamSync",
	OpStreamQuery:    "StreamQuery",
	OpStreamWait:     "StreamWait",
	OpEventCreate:    "EventCreate",
	OpEventDestroy:   "EventDestroy",
	OpEventRecord:    "EventRecord",
	OpEventSync:      "EventSync",
	OpEventQuery:     "EventQuery",
	OpEventElapsed:   "EventElapsed",
	OpSync:           "Sync",
	OpAllocated:      "Allocated",
	OpFreed:          "Freed",
	OpViews:          "Views",
	OpJoined:         "Joined",
	OpCollective:     "Collective",
	OpLeave:          "Leave",
	OpCall:           "Call",
	OpRangeStart:     "RangeStart",
	OpRangeEnd:       "RangeEnd",
	OpTextureDestroy: "TextureDestroy",
}

// String returns the name of an operation, for logs.
func (op Op) String() string {
	if name := opNames[op]; name != "" {
		return name
	}
	return fmt.Sprintf("Op(%d)", uint16(op))
}
