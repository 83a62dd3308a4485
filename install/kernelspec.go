package install

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// These are the names of the kernel.
const (
	KernelName  = "gopherwarp"      // in kernelspecs and notebooks
	DisplayName = "Go (gopherwarp)" // in menus
)

// assets are the logos in the sizes and under the names that Jupyter expects.
//
//go:generate go run ./logo assets
//go:embed assets/logo-32x32.png assets/logo-64x64.png assets/logo-svg.svg
var assets embed.FS

// ErrNotInstalled means that there is no kernelspec to remove.
var ErrNotInstalled = errors.New("the kernel is not installed there")

var validName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// Kernelspec describes an installation of the kernel.
type Kernelspec struct {
	Name   string // of the directory, and of the kernel for 'jupyter --kernel'
	Binary string // absolute path of the program
}

// Language returns what the kernel tells, and notebooks record, of the language of a release such as go1.27.3. The version is that of the
// language, 1.27: another patch release must not change the notebooks that are opened with it.
func Language(release string) kernel.LanguageInfo {
	return kernel.LanguageInfo{
		Name:              "go",
		Version:           strings.TrimPrefix(version.Lang(release), "go"),
		MIMEType:          "text/x-go",
		FileExtension:     ".go",
		PygmentsLexer:     "go",
		CodeMirrorMode:    "go",
		NBConvertExporter: "script",
	}
}

// kernelJSON is the form of kernel.json.
type kernelJSON struct {
	Argv            []string       `json:"argv"`
	DisplayName     string         `json:"display_name"`
	Language        string         `json:"language"`
	InterruptMode   string         `json:"interrupt_mode"`
	ProtocolVersion string         `json:"kernel_protocol_version"`
	Metadata        map[string]any `json:"metadata"`
}

// readKernelJSON reads a kernel.json.
func readKernelJSON(file string) (kernelJSON, error) {
	var spec kernelJSON
	data, err := os.ReadFile(file)
	if err != nil {
		return spec, err
	}
	return spec, json.Unmarshal(data, &spec)
}

// isOurs reports whether the kernel is a gopherwarp.
func (k *kernelJSON) isOurs() bool {
	return k.Language == "go" && len(k.Argv) >= 2 && slices.Contains(k.Argv[1:], "kernel")
}

// Install writes the kernelspec and JupyterLab's extension under a Jupyter data directory, over older ones if there are
// any, and returns the kernelspec's directory.
func (k Kernelspec) Install(dataDir string) (string, error) {
	dir, err := specDir(dataDir, k.Name)
	if err != nil {
		return "", err
	}
	display := DisplayName
	if k.Name != KernelName {
		display = "Go (" + k.Name + ")" // otherwise two kernels would have the same name in the menu
	}
	spec, err := json.MarshalIndent(kernelJSON{
		Argv:            []string{k.Binary, "kernel", "-f", "{connection_file}"},
		DisplayName:     display,
		Language:        "go",
		InterruptMode:   "message",
		ProtocolVersion: "5.5",
		Metadata:        map[string]any{"debugger": true}, // enables the panel of variables, and breakpoints
	}, "", "  ")
	if err != nil {
		return "", fmt.Errorf("encode kernel.json: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("install kernelspec: %w (choose a folder that you may write to: --user or --prefix FOLDER)", err)
	}
	files, err := fs.Sub(assets, "assets")
	if err != nil {
		return "", fmt.Errorf("install kernelspec: %w", err)
	}
	logos, err := fs.ReadDir(files, ".")
	if err != nil {
		return "", fmt.Errorf("install kernelspec: %w", err)
	}
	for _, logo := range logos {
		data, err := fs.ReadFile(files, logo.Name())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, logo.Name()), data, 0o644)
		}
		if err != nil {
			return "", fmt.Errorf("install kernelspec: %w", err)
		}
	}
	if err := installExtension(dataDir); err != nil {
		return "", err
	}
	// It is written last, since it makes the directory a kernelspec.
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), append(spec, '\n'), 0o644); err != nil {
		return "", fmt.Errorf("install kernelspec: %w", err)
	}
	return dir, nil
}

// Uninstall removes the kernelspec from a Jupyter data directory, with the last one JupyterLab's extension, too, and returns the removed
// directory.
func Uninstall(dataDir, name string) (string, error) {
	dir, err := specDir(dataDir, name)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: %w", dir, ErrNotInstalled)
	}
	if err != nil {
		return "", fmt.Errorf("uninstall kernelspec: %w", err)
	}
	// The user gives the name, which may be that of another kernel.
	var spec kernelJSON
	if err := json.Unmarshal(data, &spec); err == nil && (spec.Language != "go" || len(spec.Argv) < 2 || spec.Argv[1] != "kernel") {
		return "", fmt.Errorf("%s is another kernel (%s); remove it with 'jupyter kernelspec remove %s'", dir, spec.DisplayName, name)
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", fmt.Errorf("uninstall kernelspec: %w", err)
	}
	return dir, uninstallExtension(dataDir)
}

func specDir(dataDir, name string) (string, error) {
	if !validName.MatchString(name) || name == "." || name == ".." {
		return "", fmt.Errorf("kernel name %q: use letters, digits, dots, dashes and underscores only", name)
	}
	return filepath.Join(dataDir, "kernels", name), nil
}
