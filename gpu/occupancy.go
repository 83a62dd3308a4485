package gpu

// A Fit is the number of blocks of a kernel that can be resident on a multiprocessor, with the resources that limit it.
type Fit struct {
	Blocks, Warps int
	Fraction      float64  // Warps / the multiprocessor's maximum of warps
	Limits        []string // of "threads", "blocks", "registers" and "shared memory"
}

// An OccupancyRow is a Fit for one block size.
type OccupancyRow struct {
	Threads int // per block
	Fit
	Best bool // whether no other row has more warps
}

// blockSizes are the rows of an occupancy table.
var blockSizes = []int{32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024}

// Occupancies returns, by the driver's rules, the occupancy of the device's multiprocessors for block sizes from 32 threads to the
// maximum, for a kernel that needs the resources r and that many bytes of dynamic shared memory per block.
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
