package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/children"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
	"github.com/gopherwarp/gopherwarp/internal/goroot"
)

// A session writes all files beside the cache into a directory of its own, including temporary files of Go's commands and
// compilers. The kernel process removes it at its end; if the kernel process is killed, the session process does. If both
// are killed, the next session on the machine does: a lock on a file shows whether the directory's kernel process runs.

const (
	folderPrefix = "gopherwarp-"
	// lockName is the file in a session's directory that its kernel process has locked while it runs. It contains the
	// process's session ID, as in setsid.
	lockName = "kernel"
)

// A folder is the directory of a session.
type folder struct {
	path string
	lock *os.File
}

// makeFolder creates the directory of a session.
func makeFolder() (*folder, error) {
	if err := noLineBreak("temporary", os.TempDir(), "TMPDIR"); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, fmt.Errorf("make a folder for the session: %w (set TMPDIR to a folder that can be written to, and start the kernel again)", err)
	}
	if isNoexec(dir) {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("the file system of the temporary folder %s runs no programs (it is mounted with noexec), and compiled cells lie there: set TMPDIR to another folder, and start the kernel again", os.TempDir())
	}
	f := &folder{path: dir}
	if f.lock, err = lockFolder(dir); err == nil {
		err = os.Mkdir(f.temp(), 0o700)
	}
	if err != nil {
		f.remove()
		return nil, fmt.Errorf("make a folder for the session: %w", err)
	}
	return f, nil
}

// isNoexec reports whether a directory's file system is mounted with noexec.
func isNoexec(dir string) bool {
	var s unix.Statfs_t
	return unix.Statfs(dir, &s) == nil && s.Flags&unix.ST_NOEXEC != 0
}

// lockFolder creates and locks the file that marks the owner of the directory. The file is renamed to lockName
// after it was locked.
func lockFolder(dir string) (*os.File, error) {
	fresh := filepath.Join(dir, lockName+".new")
	lock, err := os.OpenFile(fresh, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = lock.WriteString(strconv.Itoa(children.OwnSession()))
	if err == nil {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err == nil {
		err = os.Rename(fresh, filepath.Join(dir, lockName))
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// temp returns the directory for temporary files of programs that a session runs.
func (f *folder) temp() string { return filepath.Join(f.path, proto.TempName) }

// remove removes the directory and its contents.
func (f *folder) remove() error {
	err := os.RemoveAll(f.path)
	if f.lock != nil {
		f.lock.Close()
	}
	return err
}

// removeEnded removes the directories of sessions whose kernel process exited without doing so, and kills the processes that
// cells had started there.
func removeEnded(parent string) {
	dirs, _ := filepath.Glob(filepath.Join(escaped(parent), folderPrefix+"*"))
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() {
			continue
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
			continue
		}
		removeIfEnded(dir)
	}
}

func removeIfEnded(dir string) {
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return // not a session's directory, or one of an earlier release
	}
	defer lock.Close()
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return // its kernel process runs
	}
	text := make([]byte, 20)
	n, _ := lock.Read(text)
	if session, err := strconv.Atoi(string(text[:n])); err == nil {
		children.End(proto.DirEnv+"="+dir, session)
	}
	_ = os.RemoveAll(dir) // after an error the next session tries again
}

// escaped quotes a path for filepath.Glob.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Mark returns the environment entry of all processes that the session's cells start. They are killed when the session ends.
func (s *Session) Mark() string { return proto.DirEnv + "=" + s.dir }

// TempDirFor returns the TempDir of the session whose cell started a process with this environment, or "".
func TempDirFor(env []string) string {
	dir := goroot.Lookup(env, proto.DirEnv)
	if dir == "" {
		return ""
	}
	temp := filepath.Join(dir, proto.TempName)
	if info, err := os.Stat(temp); err != nil || !info.IsDir() {
		return ""
	}
	return temp
}

// TempDir returns a directory that is removed when the session ends, even if its processes are killed.
func (s *Session) TempDir() string { return s.folder.temp() }

// killChildren kills the processes that cells of a session process had started, after it has exited. It records in left
// those that can't be attributed to it.
func (p *process) killChildren() { p.left = children.End(p.mark, children.OwnSession()) }

// printLeft prints which programs of cells still run after the session process has exited.
func (s *Session) printLeft(p *process) {
	if p == nil || len(p.left) == 0 {
		return
	}
	var names, pids []string
	for _, child := range p.left {
		names = append(names, child.String())
		pids = append(pids, strconv.Itoa(child.PID))
	}
	s.printed("stdout", fmt.Sprintf("Programs that cells have started in sessions of their own (setsid) go on: %s. To end them: kill %s\n",
		strings.Join(names, ", "), strings.Join(pids, " ")))
}
