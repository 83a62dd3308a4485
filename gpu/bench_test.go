package gpu

import (
	"fmt"
	"testing"
)

// BenchmarkLaunchTyped is the cost of submitting a launch the way generated code does it.
func BenchmarkLaunchTyped(b *testing.B) {
	fresh(b)
	k := compileToy(b, "empty")
	x := Zeros[float32](256)
	b.ReportAllocs()
	for b.Loop() {
		c := k.Begin(For(256, 256))
		Pointer(c, x)
		c.Float32(2)
		c.Int(256)
		if err := c.Do(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLaunchChecked is the same through Launch, which checks types at run time.
func BenchmarkLaunchChecked(b *testing.B) {
	fresh(b)
	k := compileToy(b, "empty")
	x := Zeros[float32](256)
	b.ReportAllocs()
	for b.Loop() {
		if err := k.Launch(For(256, 256), x, 2.0, 256); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLaunchSync(b *testing.B) {
	fresh(b)
	k := compileToy(b, "empty")
	x := Zeros[float32](256)
	b.ReportAllocs()
	for b.Loop() {
		c := k.Begin(For(256, 256))
		Pointer(c, x)
		c.Float32(2)
		c.Int(256)
		if err := c.Do(); err != nil {
			b.Fatal(err)
		}
		if err := Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCopy(b *testing.B) {
	fresh(b)
	for _, n := range []int{1 << 10, 1 << 16, 1 << 26} {
		host := make([]byte, n)
		x := Alloc[byte](n)
		b.Run(fmt.Sprintf("ToDevice/%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				if err := x.CopyFrom(host); err != nil {
					b.Fatal(err)
				}
				if err := Sync(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("ToHost/%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				if err := x.CopyTo(host); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReplace is the time from a dead device process to the next result, with 64 MiB
// of buffers and a module to take over. Backends add the time to open their device.
func BenchmarkReplace(b *testing.B) {
	d := fresh(b)
	k := compileToy(b, "addone")
	x := Zeros[int32](16 << 20)
	for b.Loop() {
		if err := Sync(); err != nil {
			b.Fatal(err)
		}
		p := d.link.serving.Load()
		p.kill()
		<-p.down
		if err := k.Launch(For(4, 4), x, 4); err != nil {
			b.Fatal(err)
		}
		x.Slice(0, 4).ToHost()
	}
}
