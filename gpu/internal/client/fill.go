package client

import "github.com/gopherwarp/gopherwarp/gpu/internal/wire"

// fill repeats a pattern over n bytes of a block.
func (s *staging) fill(b *Block, dst uint64, pattern []byte, n uint64, stream uint32) error {
	if n == 0 {
		return nil
	}
	if short := shorten(pattern); len(short) <= 4 {
		return s.link.Post(b, &wire.Command{Op: wire.OpFill, Dst: dst, N: n, Stream: stream}, short)
	}
	// Devices fill with up to 4 bytes: write the first ones and double them.
	var seed [MaxInline]byte
	whole := min(n, uint64(MaxInline/len(pattern)*len(pattern))) // of patterns
	done := uint64(0)
	for done < whole {
		done += uint64(copy(seed[done:whole], pattern))
	}
	if err := s.link.Post(b, &wire.Command{Op: wire.OpWrite, Dst: dst, Stream: stream}, seed[:done]); err != nil {
		return err
	}
	for done < n {
		part := min(done, n-done)
		if err := s.link.Post(b, &wire.Command{Op: wire.OpCopy, Dst: dst + done, Src: dst, N: part, Stream: stream}, nil); err != nil {
			return err
		}
		done += part
	}
	return nil
}

// shorten halves a pattern while its halves are equal.
func shorten(p []byte) []byte {
	for len(p) > 1 && len(p)%2 == 0 && string(p[:len(p)/2]) == string(p[len(p)/2:]) {
		p = p[:len(p)/2]
	}
	return p
}
