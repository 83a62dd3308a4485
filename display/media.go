package display

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// media is sound or a film with its controls.
type media struct {
	tag, mimeType string
	content       []byte
	text          string
}

// MIMEBundle returns the controls with the contents, and a description as text.
func (m media) MIMEBundle() map[string]any {
	var b strings.Builder
	fmt.Fprintf(&b, `<%s controls title="%s" src="data:%s;base64,`, m.tag, html.EscapeString(m.text), m.mimeType)
	b.WriteString(base64.StdEncoding.EncodeToString(m.content))
	fmt.Fprintf(&b, `">%s</%s>`, html.EscapeString(m.text), m.tag)
	return map[string]any{"text/html": b.String(), "text/plain": m.text}
}

// Audio returns sound with controls to play it, given as one slice of samples for each channel and the number of samples per second. Samples
// of type int16 are kept; floating-point numbers from -1 to 1, too; others are scaled so that the largest is 1, and NaN and infinities are
// silence. It panics if there are no channels, if they differ in length, or if rate is not positive.
//
//	display.Audio(44100, tone)
func Audio[T Number](rate int, channels ...[]T) Bundle {
	if len(channels) == 0 || rate <= 0 {
		panic(fmt.Sprintf("display.Audio: %d channels with %d samples per second", len(channels), rate))
	}
	n := len(channels[0])
	for i, c := range channels {
		if len(c) != n {
			panic(fmt.Sprintf("display.Audio: channel %d has %d samples and channel 0 has %d", i, len(c), n))
		}
	}
	samples := make([]int16, 0, n*len(channels))
	scale := sampleScale(channels)
	for i := range n {
		for _, c := range channels {
			samples = append(samples, sample(c[i], scale))
		}
	}
	text := fmt.Sprintf("audio of %.2f s, 1 channel, %d samples per second", float64(n)/float64(rate), rate)
	if len(channels) > 1 {
		text = strings.Replace(text, "1 channel", fmt.Sprintf("%d channels", len(channels)), 1)
	}
	return media{"audio", "audio/wav", wave(rate, len(channels), samples), text}
}

// sampleScale returns the factor by which samples are multiplied to be from -1 to 1.
func sampleScale[T Number](channels [][]T) float64 {
	peak := 0.0
	var zero T
	switch any(zero).(type) {
	case int16:
		return 1.0 / math.MaxInt16
	case float32, float64:
		peak = 1
	}
	for _, c := range channels {
		for _, v := range c {
			if f := math.Abs(float64(v)); !math.IsInf(f, 0) && f > peak {
				peak = f
			}
		}
	}
	if peak == 0 {
		return 1
	}
	return 1 / peak
}

func sample[T Number](v T, scale float64) int16 {
	f := float64(v)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return int16(math.Round(max(math.MinInt16, min(math.MaxInt16, f*scale*math.MaxInt16))))
}

// wave returns a file with samples in the format of RIFF WAVE, 16 bits each.
func wave(rate, channels int, samples []int16) []byte {
	const bytesPerSample = 2
	size := len(samples) * bytesPerSample
	var b bytes.Buffer
	b.WriteString("RIFF")
	write := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) } // to memory, which does not fail
	write(uint32(36 + size))
	b.WriteString("WAVEfmt ")
	write(uint32(16)) // bytes of the format
	write(uint16(1))  // linear samples
	write(uint16(channels))
	write(uint32(rate))
	write(uint32(rate * channels * bytesPerSample))
	write(uint16(channels * bytesPerSample))
	write(uint16(8 * bytesPerSample))
	b.WriteString("data")
	write(uint32(size))
	write(samples)
	return b.Bytes()
}

// The types of files that browsers play, by extension.
var (
	audioTypes = map[string]string{
		".wav": "audio/wav", ".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".oga": "audio/ogg", ".opus": "audio/ogg", ".flac": "audio/flac", ".m4a": "audio/mp4",
		".aac": "audio/aac", ".weba": "audio/webm",
	}
	videoTypes = map[string]string{
		".mp4": "video/mp4", ".m4v": "video/mp4", ".webm": "video/webm", ".ogv": "video/ogg", ".mov": "video/quicktime",
	}
)

// AudioFile returns a file of sound with controls to play it. The contents are in the notebook, which then needs no file.
func AudioFile(path string) (Bundle, error) { return mediaFile("audio", path, audioTypes) }

// VideoFile returns a film with controls to play it. The contents are in the notebook, which then needs no file; FileLink is for large
// ones.
func VideoFile(path string) (Bundle, error) { return mediaFile("video", path, videoTypes) }

func mediaFile(tag, path string, types map[string]string) (Bundle, error) {
	mimeType := types[strings.ToLower(filepath.Ext(path))]
	if mimeType == "" {
		return nil, fmt.Errorf("show %s: browsers play no %s of this type; display.FileLink makes a link to it", path, tag)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("show the %s: %w", tag, err)
	}
	return media{tag, mimeType, content, fmt.Sprintf("%s %s (%d bytes)", tag, path, len(content))}, nil
}
