package display

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
)

// What follows is for notebooks that were written for the kernel gophernotes. New ones need only the types above.

// A MIMEMap holds representations of a value by MIME type: texts, bytes, or what JSON can hold.
type MIMEMap = map[string]any

// Data is what such a notebook shows.
type Data = struct{ Data, Metadata, Transient MIMEMap }

// The types of representations.
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

// The interfaces of values that say how they look.
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

// MIME is data that is there in several types, and what there is to say about it.
func MIME(data, metadata MIMEMap) Data { return Data{Data: data, Metadata: metadata} }

// MakeData is data of one type, with its text.
func MakeData(mimeType string, data any) Data {
	return MakeData3(mimeType, valuefmt.Sprint(data), data)
}

// MakeData3 is data of one type, with a text for terminals.
func MakeData3(mimeType, plaintext string, data any) Data {
	return Data{Data: MIMEMap{MIMETypeText: plaintext, mimeType: data}}
}

// Math is a formula in a line of its own, and Latex one in a line of text, both in LaTeX.
func Math(latex string) Data { return formula(latex, "$$") }

// Latex is described at Math.
func Latex(latex string) Data { return formula(latex, "$") }

func formula(latex, mark string) Data {
	return MakeData3(MIMETypeLatex, latex, mark+strings.Trim(latex, "$")+mark)
}

// JavaScript is a script that the page runs. JupyterLab runs none, unless the notebook is trusted.
func JavaScript(script string) Data { return MakeData(MIMETypeJavaScript, script) }

// JSON is data that front ends show as a tree.
func JSON(data map[string]any) Data { return MakeData(MIMETypeJSON, data) }

// JPEG is a picture as a file of that format holds it.
func JPEG(picture []byte) Data { return file(MIMETypeJPEG, picture) }

// PDF is a document as a file of that format holds it.
func PDF(document []byte) Data { return file(MIMETypePDF, document) }

func file(mimeType string, content []byte) Data {
	size := fmt.Sprintf("%d bytes", len(content))
	if len(content) == 1 {
		size = "1 byte"
	}
	return MakeData3(mimeType, size+" of type "+mimeType, content)
}

// File is what a file holds. Without a type it is found out from the content. It panics if the file can't be read.
func File(mimeType, path string) Data {
	content, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return Any(mimeType, content)
}

// Auto is Any without a type.
func Auto(data any) Data { return Any("", data) }

// Any is data of a type: text, bytes, what a reader gives or a value writes, or a value that says itself how it looks. Without a
// type, that of bytes is found out. It panics with other values.
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

// typeOf finds out a type from how content begins.
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
