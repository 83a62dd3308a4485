package gokernel

import "github.com/gopherwarp/gopherwarp/gpu"

type vector3 struct{ X, Y, Z float32 }

func (v vector3) plus(w vector3) vector3 { return vector3{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

func (v *vector3) scale(by float32) { v.X, v.Y, v.Z = v.X*by, v.Y*by, v.Z*by }

// A particle has gaps.
type particle struct {
	Alive    bool
	Mass     float64
	Kind     int8
	_        [3]byte
	Position vector3
	Speed    [2]vector3
	Last     int16
}

type settings struct {
	Step   float32
	Places [4]int16
	Wind   vector3
}

// Slices of structs, and structs and arrays by value.
//
//gpu:kernel
func particles(list []particle, set settings, weights [5]float64, rows [][3]int32, changed [2]vector3) {
	i := gpu.GlobalID()
	if i >= len(list) {
		return
	}
	p := &list[i]
	if !p.Alive {
		list[i] = particle{Mass: -1, Last: int16(len(rows))}
		return
	}
	p.Position = p.Position.plus(set.Wind)
	p.Speed[i%2].scale(set.Step)
	p.Mass += weights[i%5]
	p.Last = set.Places[i%4] + int16(p.Kind)
	changed[i%2].X += float32(i)
	p.Position.Z += changed[i%2].X
	for j := range rows[i] {
		rows[i][j] += int32(i*j) + int32(len(weights))
	}
}
