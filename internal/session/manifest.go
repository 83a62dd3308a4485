package session

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/dirlock"
	"github.com/gopherwarp/gopherwarp/internal/gotool"
	"github.com/gopherwarp/gopherwarp/internal/intact"
	"github.com/gopherwarp/gopherwarp/internal/slim"
)

// manifestFormat is part of the name of the toolchain's directory, as are the formats of its files.
const manifestFormat = "files with digests"

// A manifest is written after all files were made that cells are compiled and run with.
type manifest struct {
	Std     []string
	Exports map[string]string
	Slimmed map[string]string
	Files   map[string]intact.Record // of all files, by their paths
}

func (t *Toolchain) manifestFile() string { return filepath.Join(t.dir, "exports.json") }

func (t *Toolchain) symbolsFile() string { return filepath.Join(t.dir, "symbols") }

// made returns the files in the toolchain's directory that cells are compiled and run with.
func (t *Toolchain) made(slimmed map[string]string) []string {
	files := []string{t.HostProgram(), t.linker, t.symbolsFile()}
	return append(files, slices.Collect(maps.Values(slimmed))...)
}

// readManifest reads the manifest. Its error is fs.ErrNotExist if there is none.
func (t *Toolchain) readManifest() (manifest, error) {
	var m manifest
	data, err := os.ReadFile(t.manifestFile())
	if err != nil {
		return m, err
	}
	if err := intact.Sealed(t.manifestFile(), true); err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("read %s: %w", t.manifestFile(), err)
	}
	return m, nil
}

// readExports loads the manifest of an earlier process. Its error names a file that is missing or was changed since.
func (t *Toolchain) readExports() error {
	m, err := t.readManifest()
	if err != nil {
		return err
	}
	touched := false
	for file, record := range m.Files {
		if err := record.Check(file, false); err != nil {
			return damageOf(file, err)
		}
		if info, err := os.Stat(file); err == nil && record.Modified != 0 && info.ModTime().UnixNano() != record.Modified {
			record.Modified, touched = info.ModTime().UnixNano(), true
			m.Files[file] = record
		}
	}
	symbols, err := os.ReadFile(t.symbolsFile())
	if err != nil {
		return damageOf(t.symbolsFile(), err)
	}
	t.std, t.exports, t.slimmed, t.symbols = m.Std, m.Exports, m.Slimmed, slim.DecodeSymbols(symbols)
	if touched {
		_ = t.writeManifest(m) // the cache was copied: the digests need not be computed again
	}
	return nil
}

// damageOf returns err as an intact.Damage, so that it is not mistaken for that of a missing manifest.
func damageOf(file string, err error) error {
	var damage *intact.Damage
	if errors.As(err, &damage) {
		return err
	}
	return &intact.Damage{Path: file, What: "can't be read: " + err.Error()}
}

func (t *Toolchain) writeExports() error {
	m := manifest{t.std, t.exports, t.slimmed, map[string]intact.Record{}}
	for _, file := range t.made(t.slimmed) {
		record, err := intact.RecordOf(file)
		if err != nil {
			return fmt.Errorf("record the built files: %w", err)
		}
		m.Files[file] = record
	}
	for _, file := range t.exports {
		record, err := exportRecord(file)
		if err != nil {
			return fmt.Errorf("record the compiled packages: %w", err)
		}
		m.Files[file] = record
	}
	return t.writeManifest(m)
}

func (t *Toolchain) writeManifest(m manifest) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := writeFile(t.manifestFile(), data); err != nil {
		return err
	}
	return intact.Seal(t.manifestFile())
}

// exportRecord returns the record of a file of Go's build cache, whose name is its digest. Its modification time is ignored,
// since Go sets it whenever the file is used.
func exportRecord(file string) (intact.Record, error) {
	name, isOfCache := strings.CutSuffix(filepath.Base(file), "-d")
	if digest, err := hex.DecodeString(name); err == nil && len(digest) == 32 && isOfCache {
		info, err := os.Stat(file)
		if err != nil {
			return intact.Record{}, err
		}
		return intact.Record{Size: info.Size(), SHA256: name}, nil
	}
	record, err := intact.RecordOf(file)
	record.Modified = 0
	return record, err
}

// unpack writes the module's sources and the session program's main package, except for files that exist with the same size,
// or if full is set, with the same content.
func (t *Toolchain) unpack(full bool) error {
	write := func(path string, data []byte) error {
		info, err := os.Stat(path)
		if err == nil && info.Size() == int64(len(data)) && (!full || intact.Holds(path, data) == nil) {
			return nil
		}
		return writeFile(path, data)
	}
	err := fs.WalkDir(t.config.Sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == "go.mod" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := fs.ReadFile(t.config.Sources, path)
		if err != nil {
			return err
		}
		return write(filepath.Join(t.srcDir(), path), data)
	})
	// A relative path, so that the file is the same where another user has a link to the directory.
	host := t.goMod(ModulePath+"/session-program", "../"+filepath.Base(t.srcDir()))
	return errors.Join(err,
		write(filepath.Join(t.srcDir(), "go.mod"), []byte("module "+ModulePath+"\n\ngo "+t.language()+"\n")),
		write(filepath.Join(t.hostDir(), "go.mod"), host),
		write(filepath.Join(t.hostDir(), "main.go"), t.hostMain()))
}

// Repair reads all files of the toolchain that cells would be compiled with, and replaces damaged ones. It returns a
// description of the damage, and the Go of the toolchain. It fetches and builds nothing that was not there.
func Repair(ctx context.Context, config Config, progress func(string)) ([]string, gotool.Go, error) {
	t, _, err := located(ctx, config)
	if err != nil || t == nil {
		return nil, gotool.Go{}, err
	}
	damaged, err := t.repair(ctx, progress)
	return damaged, t.Go(), err
}

// repair reads all files of the toolchain and replaces damaged ones. It returns a description of the damage.
func (t *Toolchain) repair(ctx context.Context, progress func(string)) ([]string, error) {
	fresh := newToolchain(t.config, t.found) // other goroutines may be using t, whose paths stay the same
	if err := fresh.locate(ctx); err != nil {
		return nil, err
	}
	if _, err := os.Stat(fresh.dir); err != nil {
		return nil, nil
	}
	unlock, err := dirlock.Lock(fresh.dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	damaged, noBundle := fresh.removeDamaged(), fresh.removeDamagedBundle()
	if len(damaged) > 0 {
		err = fresh.openLocked(ctx, progress, damaged)
	} else {
		err = errors.Join(fresh.unpack(true), fresh.readExports())
	}
	if err == nil && len(noBundle) > 0 {
		progress("Preparing " + bundled + " for cells again")
		_, err = fresh.buildBundle(ctx)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // nothing has been built yet
	}
	return append(damaged, noBundle...), err
}

// removeDamaged removes the files that were changed, and returns descriptions of the damage. They are made again when
// they are missing.
func (t *Toolchain) removeDamaged() []string {
	m, err := t.readManifest()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []string{err.Error()}
	}
	return removeDamaged(m.Files)
}

func removeDamaged(files map[string]intact.Record) (damaged []string) {
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := files[file].Check(file, true); err != nil {
			damaged = append(damaged, err.Error())
			_ = os.Remove(file) // Go's commands do not verify files in the build cache
		}
	}
	return damaged
}

// removeDamagedBundle removes the bundle if one of its files is damaged.
func (t *Toolchain) removeDamagedBundle() []string {
	_, err := t.readBundle(true)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	_ = os.RemoveAll(t.bundleDir())
	return []string{err.Error()}
}
