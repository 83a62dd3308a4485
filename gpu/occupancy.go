package gpu

// Fit is how many blocks of a kernel can be on a multiprocessor at the same time, and which of
// its resources allow no more.
type Fit struct {
	Blocks, Warps int
	Fraction      float64  // of the warps that the multiprocessor can have
	Limits        []string // of "threads", "blocks", "registers" and "shared memory"
}

// OccupancyRow is a Fit for one size of a block.
type OccupancyRow struct {
	Threads int // of a block
	Fit
	Best bool // no other row has more warps
}

// blockSizes are the rows of an occupancy table.
var blockSizes = []int{32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024}

// Occupancies computes, by the driver's own rules, how well blocks of 32 threads up to the most fill a
// multiprocessor of the device, for a kernel that takes these resources and that many bytes of
// dynamic shared memory a block.
func (d *Device) Occupancies(r Resources, dynamicShared int) []OccupancyRow {
	p := d.Properties()
	var rows []OccupancyRow
	best := 0
	for _, n := range blockSizes {
		if n > p.MaxThreadsPerBlock || r.MaxThreads > 0 && n > r.MaxThreads {
			break
		}
		row := OccupancyRow{Threads: n, Fit: p.Fit(r, n, dynamicShared)}
		best = max(best, row.Warps)
		rows = append(rows, row)
	}
	for i := range rows {
		rows[i].Best = best > 0 && rows[i].Warps == best
	}
	return rows
}
