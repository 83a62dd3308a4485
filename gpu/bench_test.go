package gpu

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// onEach runs a benchmark on every device there is.
func onEach(b *testing.B, f func(b *testing.B, d *Device)) {
	for _, name := range append([]string{"toy:0"}, realDevices...) {
		b.Run(name, func(b *testing.B) {
			needDevice(b, name)
			f(b, freshDevice(b, name))
		})
	}
}

// BenchmarkLaunchTyped is the cost of submitting a launch the way generated code does it.
func BenchmarkLaunchTyped(b *testing.B) {
	onEach(b, func(b *testing.B, d *Device) {
		k := compileToy(b, "empty")
		x := Zeros[float32](256)
		b.ReportAllocs()
		for b.Loop() {
			c := k.Begin(For(256, 256))
			PassPointer(c, x)
			c.Float32(2)
			c.Int(256)
			if err := c.Do(); err != nil {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		if err := Sync(); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkLaunchChecked is the same through Launch, which checks types at run time.
func BenchmarkLaunchChecked(b *testing.B) {
	onEach(b, func(b *testing.B, d *Device) {
		k := compileToy(b, "empty")
		x := Zeros[float32](256)
		b.ReportAllocs()
		for b.Loop() {
			if err := k.Launch(For(256, 256), x, 2.0, 256); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkLaunchSync(b *testing.B) {
	onEach(b, func(b *testing.B, d *Device) {
		k := compileToy(b, "empty")
		x := Zeros[float32](256)
		b.ReportAllocs()
		for b.Loop() {
			c := k.Begin(For(256, 256))
			PassPointer(c, x)
			c.Float32(2)
			c.Int(256)
			if err := c.Do(); err != nil {
				b.Fatal(err)
			}
			if err := Sync(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCopy(b *testing.B) {
	onEach(b, func(b *testing.B, d *Device) {
		for _, n := range []int{1 << 10, 1 << 16, 1 << 20, 1 << 27} {
			host := bytes.Repeat([]byte{1}, n)
			x := Alloc[byte](n)
			for name, copy := range map[string]func() error{
				"CopyFrom": func() error { return errors.Join(x.CopyFrom(host), Sync()) },
				"CopyTo":   func() error { return x.CopyTo(host) },
			} {
				b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
					if err := copy(); err != nil { // the first touches new pages
						b.Fatal(err)
					}
					b.SetBytes(int64(n))
					for b.Loop() {
						if err := copy(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
			x.Free()
		}
	})
}

// BenchmarkReplace is the time from a dead device process to the next result, with 64 MiB
// of buffers and a module to take over.
func BenchmarkReplace(b *testing.B) {
	onEach(b, func(b *testing.B, d *Device) {
		k := compileToy(b, "addone")
		x := Zeros[int32](16 << 20)
		for b.Loop() {
			if err := Sync(); err != nil {
				b.Fatal(err)
			}
			p := d.link.Process()
			p.Kill()
			<-p.Down
			if err := k.Launch(For(4, 4), x, 4); err != nil {
				b.Fatal(err)
			}
			x.Slice(0, 4).ToHost()
		}
	})
}
