package course

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/nbformat"
)

// A Grade is the result of a hand-in.
type Grade struct {
	Student string       `json:"student"`
	Lesson  string       `json:"lesson"` // its path
	Points  int          `json:"points"`
	Of      int          `json:"of"`
	Checks  []CheckGrade `json:"checks"`
	// Questions has the answers by the names of the questions, if they were answered.
	Questions []QuestionGrade `json:"questions,omitempty"`
	Problem   string          `json:"problem,omitempty"` // why no cell was run
}

// CheckGrade is the result of a check of a hand-in.
type CheckGrade struct {
	Name   string `json:"check"`
	Points int    `json:"points"`
	Of     int    `json:"of"`
	Reason string `json:"reason,omitempty"` // why there are no points
}

// QuestionGrade is an answer in a hand-in. Answers give no points.
type QuestionGrade struct {
	Name   string `json:"question"`
	Answer string `json:"answer"`
	Right  bool   `json:"right"`
}

// GradeHandIn runs the cells of a hand-in of a lesson, with the lesson's own checks in place of those in it. limit is the maximum time of
// a cell; one that takes longer is interrupted.
func GradeHandIn(ctx context.Context, k nbformat.Kernel, l *Lesson, handIn *nbformat.Notebook, limit time.Duration) (Grade, error) {
	g := Grade{Lesson: l.Path, Of: l.Points()}
	nb, err := l.toGrade(handIn)
	if err != nil {
		return g, err
	}
	reasons := map[string]string{}
	ran := map[string]bool{}
	r := nbformat.Runner{Kernel: k, Timeout: limit, AllowErrors: true, Progress: func(e nbformat.Event) {
		if !e.Done {
			return
		}
		ran[e.Cell.ID()] = true
		if e.Failure != nil {
			reasons[e.Cell.ID()], _, _ = strings.Cut(e.Failure.Value, "\n")
			if e.Failure.Stopped != nil {
				reasons[e.Cell.ID()] = e.Failure.Stopped.Error()
			}
		}
	}}
	err = r.Run(ctx, nb)
	if failed := new(nbformat.Failure); err != nil && !errors.As(err, &failed) {
		return g, fmt.Errorf("run a hand-in of %s: %w", l.Path, err)
	}
	for _, c := range l.Cells {
		if !c.Check || c.Points == 0 {
			continue
		}
		check := CheckGrade{Name: c.ID, Of: c.Points}
		switch reason, failed := reasons[c.ID]; {
		case failed:
			check.Reason = reason
		case !ran[c.ID]:
			check.Reason = "not run: a cell before it has ended the session"
		default:
			check.Points = c.Points
		}
		g.Points += check.Points
		g.Checks = append(g.Checks, check)
	}
	g.Questions = l.gradeQuestions(handIn)
	return g, nil
}

// toGrade returns a notebook with the code cells of a hand-in, in which each check is the lesson's own. Checks that are missing follow at
// the end, and second cells with the name of a check are left out.
func (l *Lesson) toGrade(handIn *nbformat.Notebook) (*nbformat.Notebook, error) {
	var cells []any
	add := func(id, source string) {
		cells = append(cells, codeCell(id, source))
	}
	used := map[string]bool{}
	for _, c := range handIn.Cells {
		if !c.IsCode() || used[c.ID()] {
			continue
		}
		used[c.ID()] = true
		if own := l.cell(c.ID()); own != nil && own.Check {
			add(own.ID, own.Source)
			continue
		}
		add(c.ID(), c.Source())
	}
	for _, c := range l.Cells {
		if c.Check && !used[c.ID] {
			add(c.ID, c.Source)
		}
	}
	data, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "cells": cells, "metadata": map[string]any{}})
	if err != nil {
		return nil, err
	}
	return nbformat.Decode(data)
}

// gradeQuestions returns the answers in a hand-in.
func (l *Lesson) gradeQuestions(handIn *nbformat.Notebook) []QuestionGrade {
	var list []QuestionGrade
	for _, c := range handIn.Cells {
		own := l.cell(c.ID())
		if own == nil || own.Question == nil {
			continue
		}
		answer, ok := strings.CutPrefix(strings.TrimSpace(c.Source()), "%answer "+own.ID+" ")
		if answer = strings.TrimSpace(answer); !ok || answer == "?" {
			continue
		}
		right, _, err := own.Question.judge(answer)
		list = append(list, QuestionGrade{own.ID, answer, right && err == nil})
	}
	return list
}

// GradesCSV writes a line for each check of each hand-in.
func GradesCSV(w io.Writer, grades []Grade) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"student", "lesson", "check", "points", "of", "reason"}}
	for _, g := range grades {
		if g.Problem != "" {
			rows = append(rows, []string{g.Student, g.Lesson, "", "0", strconv.Itoa(g.Of), g.Problem})
		}
		for _, c := range g.Checks {
			rows = append(rows, []string{g.Student, g.Lesson, c.Name, strconv.Itoa(c.Points), strconv.Itoa(c.Of), c.Reason})
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write the grades as CSV: %w", err)
	}
	return nil
}
