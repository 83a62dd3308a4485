package install

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// lookConnections checks the connection files of kernels that run, or that were killed. Jupyter keeps them in its
// runtime directory.
func lookConnections(context.Context, *machine) (string, *trouble) {
	dir := os.Getenv("JUPYTER_RUNTIME_DIR")
	if dir == "" {
		data, err := UserDataDir()
		if err != nil {
			return "none", nil // the directory of connection files is unknown
		}
		dir = filepath.Join(data, "runtime")
	}
	files, err := filepath.Glob(filepath.Join(dir, "kernel-*.json"))
	if err != nil {
		return "", &trouble{fmt.Sprintf("the folder %s can't be read: %v", dir, err), "export JUPYTER_RUNTIME_DIR=FOLDER"}
	}
	ours := 0
	for _, file := range files {
		var conn kernel.ConnectionInfo
		if data, err := os.ReadFile(file); err != nil || json.Unmarshal(data, &conn) != nil || conn.KernelName != KernelName {
			continue
		}
		ours++
		if risks := conn.Risks(); len(risks) > 0 {
			return "", &trouble{file + ": " + risks[0].Problem, risks[0].Remedy}
		}
	}
	return fmt.Sprintf("%d connection files in %s, with keys, for this machine alone", ours, dir), nil
}
