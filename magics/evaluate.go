package magics

import (
	"context"

	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

var _ kernel.Evaluator = (*Engine)(nil)

// Evaluate returns the value of an expression as a cell would show it.
func (e *Engine) Evaluate(ctx context.Context, cell kernel.Cell, expression string) (kernel.MIMEBundle, error) {
	if !session.IsExpression(expression) {
		return nil, usageError("%q is not a Go expression", expression)
	}
	var v valueOutput
	// Not under the cell's own name: its source would be shown for errors of the expression.
	err := e.session.Run(ctx, session.Source{Name: "user_expressions", Text: expression}, &v)
	if err != nil {
		return nil, e.cellError(err)
	}
	if v.value == nil {
		return nil, usageError("%s has no value", expression)
	}
	return v.value, nil
}

// A valueOutput keeps the value of an expression and drops other output.
type valueOutput struct {
	value kernel.MIMEBundle
}

func (v *valueOutput) Result(data, _ map[string]any) { v.value = data }

func (v *valueOutput) Stream(string, string)                       {}
func (v *valueOutput) Display(_, _ map[string]any, _ string)       {}
func (v *valueOutput) UpdateDisplay(_, _ map[string]any, _ string) {}
func (v *valueOutput) ClearOutput(bool)                            {}

func (v *valueOutput) Input(context.Context, string, bool) (string, error) {
	return "", usageError("user_expressions can't ask for input")
}
