package course

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// handInKernel fails cells with "bad" in their text.
type handInKernel struct{ ran []string }

func (k *handInKernel) Execute(_ context.Context, q kernel.ExecuteRequest) (kernel.ExecuteReply, error) {
	k.ran = append(k.ran, q.Code)
	r := kernel.ExecuteReply{}
	if r.Status = "ok"; strings.Contains(q.Code, "bad") {
		r.Status, r.Name, r.Value = "error", "CheckFailed", "add: bad\nmore"
	}
	return r, nil
}

func (k *handInKernel) Interrupt(context.Context) error { return nil }

func TestGradeHandIn(t *testing.T) {
	l, err := lesson(t, strings.Replace(whole, "verify.Equal(1, 1)", "verify.Equal(ours)", 1)+"```question #q\n"+choice+"\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name          string
		cells         [][2]string // ids and sources
		points        int
		with, without string
	}{
		{"as handed out", [][2]string{{"add", "x"}, {"check-add", "verify.Equal(ours)"}}, 2, "secret()", "nothing"},
		{"a check that was changed", [][2]string{{"add", "x"}, {"check-add", "theirs"}}, 2, "verify.Equal(ours)", "theirs"},
		{"a second check of that name", [][2]string{{"check-add", "1"}, {"check-add", "theirs"}}, 2, "ours", "theirs"},
		{"a check that was removed", [][2]string{{"add", "x"}}, 2, "verify.Equal(ours)", "nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := &handInKernel{}
			g, err := GradeHandIn(t.Context(), k, l, notebook(t, c.cells), time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Join(k.ran, "\n")
			if g.Points != c.points || g.Of != 2 || !strings.Contains(text, c.with) || strings.Contains(text, c.without) {
				t.Errorf("%d of %d points for\n%s", g.Points, g.Of, text)
			}
		})
	}
	l.cell("check-add").Source = "bad"
	g, err := GradeHandIn(t.Context(), &handInKernel{}, l, notebook(t, [][2]string{{"add", "bad"}, {"q", "%answer q b"}, {"check-add", ""}}), time.Minute)
	if err != nil || g.Points != 0 || g.Checks[0].Reason != "add: bad" || len(g.Questions) != 1 || !g.Questions[0].Right {
		t.Errorf("got %+v, %v", g, err)
	}
	var table strings.Builder
	if err := GradesCSV(&table, []Grade{g, {Student: "bob", Lesson: "x", Of: 2, Problem: "no notebook"}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(table.String(), "1-basics/one,check-add,0,2,add: bad\n") || !strings.Contains(table.String(), "bob,x,,0,2,no notebook\n") {
		t.Errorf("got\n%s", table.String())
	}
}

func notebook(t *testing.T, cells [][2]string) *nbformat.Notebook {
	t.Helper()
	var list []any
	for _, c := range cells {
		list = append(list, map[string]any{"id": c[0], "cell_type": "code", "metadata": map[string]any{}, "source": c[1], "outputs": []any{}, "execution_count": nil})
	}
	data, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "cells": list, "metadata": map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	nb, err := nbformat.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func TestReport(t *testing.T) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	grades := []Grade{{Student: "ana", Lesson: "1-basics/one", Points: 2, Of: 2}}
	signed, err := Sign("course 1", time.Now(), grades, key)
	if err != nil {
		t.Fatal(err)
	}
	// As it is after it was written and read.
	text, err := json.MarshalIndent(signed, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	read := func(t *testing.T, text string) Report {
		t.Helper()
		var r Report
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	if err := read(t, string(text)).Verify(signed.PublicKey); err != nil {
		t.Error(err)
	}
	_, other, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	forged, err := Sign("course 1", time.Now(), grades, other)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]Report{
		"other points":  read(t, strings.Replace(string(text), `"points": 2`, `"points": 3`, 1)),
		"other student": read(t, strings.Replace(string(text), "ana", "bob", 1)),
		"no signature":  read(t, strings.Replace(string(text), signed.Signature, "", 1)),
		"no key":        read(t, strings.Replace(string(text), signed.PublicKey, "", 1)),
		"another key":   forged,
	} {
		if err := r.Verify(signed.PublicKey); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := forged.Verify(""); err != nil {
		t.Errorf("any key: %v", err)
	}
}
