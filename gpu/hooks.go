package gpu

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/gothread"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

func init() {
	hook.CallLibrary = callLibraryAny
	hook.WithExpression = withExpression
	hook.Late = putOff
	hook.Skips = skips
	hook.NoteWork = noteWork
	hook.Submits = submits
	hook.ResidentBlocks = residentBlocks
	hook.Share = share
	hook.Hold = hold
	hook.Finish = finish
	hook.Connect = connect
	hook.Profile = runProfile
	hook.BytesUsed = bytesUsed
	hook.Until = untilCurrent
	hook.Range = startRange
	hook.Check = runCheck
	hook.TakeReport = takeReport

	gpuhooks.Warm = warm
	gpuhooks.CellEnd = cellEnd
	gpuhooks.Interrupt = interrupt
	gpuhooks.Behind = gothread.Behind
	gpuhooks.Shuffle = shuffle
	gpuhooks.SkipLaunches = skipLaunches
	gpuhooks.Downloads = downloads
	gpuhooks.FillAllocated = fillAllocated
	gpuhooks.Record = recordLaunches
	gpuhooks.Recorded = recordedLaunches
}
