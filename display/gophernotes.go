package display

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
)

// The rest of this file is for notebooks that were written for the kernel gophernotes. New ones need only the types of the other files.

// A MIMEMap has representations of a value by MIME type: strings, bytes, or values that JSON can represent.
type MIMEMap = map[string]any

// Data is the type of values that such a notebook shows.
type Data = struct{ Data, Metadata, Transient MIMEMap }

// The MIME types of representations.
const (
	MIMETypeHTML       = "text/html"
	MIMETypeJavaScript = "application/javascript"
	MIMETypeJPEG       = "image/jpeg"
	MIMETypeJSON       = "application/json"
	MIMETypeLatex      = "text/latex"
	MIMETypeMarkdown   = "text/markdown"
	MIMETypePNG        = "image/png"
	MIMETypePDF        = "application/pdf"
	MIMETypeSVG        = "image/svg+xml"
	MIMETypeText       = "text/plain"
)

// The interfaces of values that determine how they are shown.
type (
	Renderer       = interface{ Render() Data }
	SimpleRenderer = interface{ SimpleRender() MIMEMap }
	HTMLer         = interface{ HTML() string }
	JavaScripter   = interface{ JavaScript() string }
	JPEGer         = interface{ JPEG() []byte }
	JSONer         = interface{ JSON() map[string]any }
	Latexer        = interface{ Latex() string }
	Markdowner     = interface{ Markdown() string }
	PNGer          = interface{ PNG() []byte }
	PDFer          = interface{ PDF() []byte }
	SVGer          = interface{ SVG() string }
)

// MIME returns data of several types, with its metadata.
func MIME(data, metadata MIMEMap) Data { return Data{Data: data, Metadata: metadata} }

// MakeData returns data of one type, with its text.
func MakeData(mimeType string, data any) Data {
	return MakeData3(mimeType, valuefmt.Sprint(data), data)
}

// MakeData3 returns data of one type, with a text for terminals.
func MakeData3(mimeType, plaintext string, data any) Data {
	return Data{Data: MIMEMap{MIMETypeText: plaintext, mimeType: data}}
}

// Math returns a formula in LaTeX that is shown on its own line.
func Math(latex string) Data { return formula(latex, "$$") }

// Latex returns a formula in LaTeX that is shown within a line of text.
func Latex(latex string) Data { return formula(latex, "$") }

func formula(latex, mark string) Data {
	return MakeData3(MIMETypeLatex, latex, mark+strings.Trim(latex, "$")+mark)
}

// JavaScript returns a script that the page runs. JupyterLab runs it only in trusted notebooks.
func JavaScript(script string) Data { return MakeData(MIMETypeJavaScript, script) }

// JSON returns data that front ends show as a tree: any value that JSON can represent, or a text in JSON.
func JSON(data any) Data {
	switch text := data.(type) {
	case string:
		if json.Valid([]byte(text)) {
			data = json.RawMessage(text)
		}
	case []byte:
		if json.Valid(text) {
			data = json.RawMessage(text)
		}
	}
	text, err := json.MarshalIndent(data, "", "  ")
	if err != nil { // the notebook reports it
		return MakeData(MIMETypeJSON, data)
	}
	return MakeData3(MIMETypeJSON, string(text), data)
}

// JPEG returns a picture, given as the contents of a JPEG file.
func JPEG(picture []byte) Data { return file(MIMETypeJPEG, picture) }

// PDF returns a document, given as the contents of a PDF file.
func PDF(document []byte) Data { return file(MIMETypePDF, document) }

func file(mimeType string, content []byte) Data {
	size := fmt.Sprintf("%d bytes", len(content))
	if len(content) == 1 {
		size = "1 byte"
	}
	return MakeData3(mimeType, size+" of type "+mimeType, content)
}

// File returns the contents of a file. If mimeType is empty, the type is detected from the contents. It panics if the file cannot be
// read.
func File(mimeType, path string) Data {
	content, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return Any(mimeType, content)
}

// Auto is like Any but always detects the type.
func Auto(data any) Data { return Any("", data) }

// Any returns data of a type: a string, bytes, what a Reader reads or a WriterTo writes, or a value that determines how it is shown. If
// mimeType is empty, the type of bytes is detected. It panics with other values.
func Any(mimeType string, data any) Data {
	if shown, metadata, ok := valuefmt.Of(data); ok {
		all := Data{Data: maps.Clone(shown), Metadata: metadata}
		if all.Data[MIMETypeText] == nil {
			all.Data[MIMETypeText] = valuefmt.Sprint(data)
		}
		return all
	}
	var content []byte
	switch data := data.(type) {
	case string:
		if mimeType == "" {
			mimeType = MIMETypeText
		}
		return MakeData3(mimeType, data, data)
	case []byte:
		content = data
	case io.Reader:
		read, err := io.ReadAll(data)
		if err != nil {
			panic(fmt.Errorf("read what is to be displayed: %w", err))
		}
		content = read
	case io.WriterTo:
		var text strings.Builder
		if _, err := data.WriteTo(&text); err != nil {
			panic(fmt.Errorf("write what is to be displayed: %w", err))
		}
		content = []byte(text.String())
	default:
		panic(fmt.Errorf("a value of type %T can't be displayed: it is no text and no data, and has no method that says how it looks", data))
	}
	if mimeType == "" {
		mimeType = typeOf(content)
	}
	if strings.HasPrefix(mimeType, "text/") || mimeType == MIMETypeSVG {
		return MakeData3(mimeType, string(content), string(content))
	}
	return file(mimeType, content)
}

// typeOf detects a type from the first bytes of content.
func typeOf(content []byte) string {
	for _, known := range []struct{ start, mimeType string }{
		{"\x89PNG\r\n\x1a\n", MIMETypePNG},
		{"\xff\xd8\xff", MIMETypeJPEG},
		{"GIF8", "image/gif"},
		{"%PDF-", MIMETypePDF},
		{"<svg", MIMETypeSVG},
		{"<html", MIMETypeHTML},
		{"<!DOCTYPE html", MIMETypeHTML},
		{"<!doctype html", MIMETypeHTML},
	} {
		if bytes.HasPrefix(content, []byte(known.start)) {
			return known.mimeType
		}
	}
	if bytes.HasPrefix(content, []byte("<?xml")) && bytes.Contains(content[:min(len(content), 1000)], []byte("<svg")) {
		return MIMETypeSVG
	}
	if utf8.Valid(content) {
		return MIMETypeText
	}
	return "application/octet-stream"
}
