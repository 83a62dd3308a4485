package widget

import (
	"fmt"
	"image/color"
	"strings"
)

// NewCheckbox returns a box to tick.
func NewCheckbox(value bool, options ...Option) *Control[bool] {
	return newControl(checkbox, "value", value, plain(truth), nil, options)
}

// NewToggleButton returns a button that stays pressed.
func NewToggleButton(value bool, options ...Option) *Control[bool] {
	return newControl(toggleButton, "value", value, plain(truth), nil, options)
}

// NewText returns a field for a line.
func NewText(value string, options ...Option) *Control[string] {
	return newControl(textField, "value", value, plain(text), nil, options)
}

// NewTextarea returns a field for several lines.
func NewTextarea(value string, options ...Option) *Control[string] {
	return newControl(textarea, "value", value, plain(text), nil, options)
}

// NewPassword returns a field that hides what is typed. The text is part of the widget's state, which front ends may save in the notebook:
// display.AskPassword leaves nothing behind.
func NewPassword(options ...Option) *Control[string] {
	return newControl(password, "value", "", plain(text), nil, options)
}

// NewLabel returns a text, in which $…$ is LaTeX.
func NewLabel(value string, options ...Option) *Control[string] {
	return newControl(label, "value", value, plain(text), nil, options)
}

// NewHTML returns a part of a page.
func NewHTML(value string, options ...Option) *Control[string] {
	return newControl(htmlText, "value", value, plain(text), nil, options)
}

// NewHTMLMath returns a part of a page in which $…$ is LaTeX.
func NewHTMLMath(value string, options ...Option) *Control[string] {
	return newControl(htmlMath, "value", value, plain(text), nil, options)
}

// NewColorPicker returns a field for a colour.
func NewColorPicker(value color.Color, options ...Option) *Control[color.RGBA] {
	rgba, _ := color.RGBAModel.Convert(value).(color.RGBA)
	return newControl(colorPicker, "value", rgba, codec[color.RGBA]{hex, parseHex, opaque}, nil, options)
}

func hex(c color.RGBA) any { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func opaque(_ *Widget, c color.RGBA) (color.RGBA, error) {
	c.A = 0xff
	return c, nil
}

// parseHex reads a colour as browsers' pickers write it.
func parseHex(v any) (c color.RGBA, err error) {
	s, err := text(v)
	if err != nil {
		return c, err
	}
	digits := strings.TrimPrefix(s, "#")
	if len(digits) == 3 {
		digits = strings.Join([]string{digits[:1], digits[:1], digits[1:2], digits[1:2], digits[2:], digits[2:]}, "")
	}
	if n, err := fmt.Sscanf(digits, "%02x%02x%02x", &c.R, &c.G, &c.B); err != nil || n != 3 || len(digits) != 6 || len(digits) == len(s) {
		return c, fmt.Errorf("%q is not a colour such as #1f77b4", s)
	}
	c.A = 0xff
	return c, nil
}
