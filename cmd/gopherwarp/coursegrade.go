//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/course"
	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// courseGrade has the options of course grade.
type courseGrade struct {
	source, device, format, key string
	variants                    bool
	limit                       time.Duration
}

func courseGradeCommand() *cobra.Command {
	var o courseGrade
	cmd := &cobra.Command{
		Use: "grade NOTEBOOK…", Short: "Run hand-ins with the lessons' own checks, and write their points", Args: cobra.MinimumNArgs(1),
		Long: `Run hand-ins with the lessons' own checks in place of those in them, and write their points. The file's name is
that of the lesson, and the folder above it that of the student: ana/first-kernel.ipynb, or as nbgrader has
them ana/first-kernel/first-kernel.ipynb. Hand-ins are programs of strangers: grade them in a container.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return gradeHandIns(cmd.Context(), args, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	sourceFlag(cmd, &o.source)
	f := cmd.Flags()
	f.StringVar(&o.device, "device", "", "where GPU code runs: auto, sim, sim:MODEL or cuda:N")
	f.StringVar(&o.format, "format", "text", "text, csv or json")
	f.StringVar(&o.key, "sign", "", "write a signed report as JSON, with the key in `FILE`, which is made if there is none")
	f.BoolVar(&o.variants, "variants", false, "each student has the variant of the lessons that --seed STUDENT builds")
	f.DurationVar(&o.limit, "limit", 2*time.Minute, "the maximum time of a cell")
	return cmd
}

// gradeHandIns grades notebooks one after the other.
func gradeHandIns(ctx context.Context, files []string, o courseGrade, stdout, stderr io.Writer) error {
	if err := checkDevice(o.device); err != nil {
		return err
	}
	write, err := gradeWriter(o)
	if err != nil {
		return err
	}
	var grades []course.Grade
	for _, file := range files {
		g, err := gradeHandIn(ctx, file, o, stderr)
		if err != nil {
			return fmt.Errorf("grade %s: %w", file, err)
		}
		grades = append(grades, g)
		fmt.Fprintf(stderr, "%s: %d of %d\n", file, g.Points, g.Of)
	}
	return write(stdout, grades)
}

// gradeWriter returns the function that writes the grades.
func gradeWriter(o courseGrade) (func(io.Writer, []course.Grade) error, error) {
	if o.key != "" {
		key, err := signingKey(o.key)
		return func(w io.Writer, grades []course.Grade) error {
			r, err := course.Sign("gopherwarp "+buildVersion(), time.Now(), grades, key)
			if err != nil {
				return err
			}
			return writeJSON(w, r)
		}, err
	}
	switch o.format {
	case "text":
		return func(w io.Writer, grades []course.Grade) error { return writeGrades(w, grades) }, nil
	case "csv":
		return course.GradesCSV, nil
	case "json":
		return func(w io.Writer, grades []course.Grade) error { return writeJSON(w, grades) }, nil
	}
	return nil, fmt.Errorf("there is no format %q: write text, csv or json", o.format)
}

func writeGrades(w io.Writer, grades []course.Grade) error {
	var b strings.Builder
	for _, g := range grades {
		fmt.Fprintf(&b, "%s, %s: %d of %d points\n", g.Student, g.Lesson, g.Points, g.Of)
		if g.Problem != "" {
			fmt.Fprintf(&b, "    %s\n", g.Problem)
		}
		for _, c := range g.Checks {
			fmt.Fprintf(&b, "    %-24s %d of %d  %s\n", c.Name, c.Points, c.Of, c.Reason)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// gradeHandIn grades a notebook.
func gradeHandIn(ctx context.Context, file string, o courseGrade, stderr io.Writer) (course.Grade, error) {
	name := strings.TrimSuffix(filepath.Base(file), ".ipynb")
	path, err := filepath.Abs(file)
	if err != nil {
		return course.Grade{}, err
	}
	above := filepath.Dir(path)
	if filepath.Base(above) == name {
		above = filepath.Dir(above)
	}
	student, seed := filepath.Base(above), ""
	if o.variants {
		seed = student
	}
	all, err := course.LoadVariant(courseSource(o.source), seed)
	if err != nil {
		return course.Grade{}, err
	}
	lessons, err := choose(all, []string{name})
	if err != nil {
		return course.Grade{}, err
	}
	l := lessons[0]
	nb, err := nbformat.Read(file)
	if err != nil {
		// The student gets no points, and the others are graded.
		return course.Grade{Student: student, Lesson: l.Path, Of: l.Points(), Problem: err.Error()}, nil
	}
	var g course.Grade
	err = inLesson(ctx, l, o.source, o.device, stderr, func(k *kernel.Process) (err error) {
		g, err = course.GradeHandIn(ctx, k, l, nb, o.limit)
		return err
	})
	g.Student = student
	return g, err
}

// signingKey returns the private key in a file, which is made if it does not exist.
func signingKey(file string) (ed25519.PrivateKey, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return newSigningKey(file)
	}
	if err != nil {
		return nil, fmt.Errorf("read the key: %w", err)
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("read the key %s: it is not in PEM: name a file that does not exist to make one", file)
	}
	any, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read the key %s: %w", file, err)
	}
	key, ok := any.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("read the key %s: it is not of Ed25519", file)
	}
	return key, nil
}

func newSigningKey(file string) (ed25519.PrivateKey, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, fmt.Errorf("write the key: %w", err)
	}
	return key, nil
}

func courseVerifyCommand() *cobra.Command {
	var by string
	cmd := &cobra.Command{
		Use: "verify REPORT", Short: "Check the signature of a report that course grade --sign has written", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			var r course.Report
			d := json.NewDecoder(bytes.NewReader(data))
			d.DisallowUnknownFields() // what is not signed must not be displayed
			if err := d.Decode(&r); err != nil {
				return fmt.Errorf("read the report %s: %w", args[0], err)
			}
			if err := r.Verify(by); err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "signed by %s\n%s, %s\n", r.PublicKey, r.Course, r.Made.Format("2006-01-02 15:04 MST"))
			return writeGrades(out, r.Grades)
		},
	}
	cmd.Flags().StringVar(&by, "by", "", "the public `KEY` that must have signed it")
	return cmd
}
