package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// raceDir is the directory of tests for the race detector, in that of the session's go.mod.
const raceDir = "race"

// BuildRaceTests builds the tests in files, which are Go of package main by file name, with the race detector, and returns the program. It
// prints downloads to out.
func (s *Session) BuildRaceTests(ctx context.Context, files map[string]string, out Output) (program string, err error) {
	s.running.Lock()
	defer s.running.Unlock()
	if err := s.awaitOpen(ctx, "", out); err != nil {
		return "", err
	}
	dir := filepath.Join(s.dir, raceDir)
	err = errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700))
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	if err != nil {
		return "", fmt.Errorf("write tests for the race detector: %w", err)
	}
	program = filepath.Join(dir, "tests")

	if _, err := s.modules.run(ctx, out, "test", "-c", "-race", "-vet=off", "-o", program, "./"+raceDir); err != nil {
		return "", fmt.Errorf("build the tests with the race detector: %w", err)
	}
	return program, nil
}
