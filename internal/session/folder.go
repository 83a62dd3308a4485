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

// All that a session writes beside the cache lies in a folder of its own, also what Go's commands and compilers keep for a while.
// The kernel process removes it at its end, and if it is killed, the session process does. If both are killed, the next session
// that begins on the machine does: it knows from a lock whether the folder's kernel process lives.

const (
	folderPrefix = "gopherwarp-"
	// lockName is the file in a session's folder that its kernel process has locked while it lives. It holds the number of
	// the process's session, which Linux knows.
	lockName = "kernel"
)

// A folder is that of a session.
type folder struct {
	path string
	lock *os.File
}

// makeFolder makes the folder of a session.
func makeFolder() (*folder, error) {
	if err := noLineBreak("temporary", os.TempDir(), "TMPDIR"); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, fmt.Errorf("make a folder for the session: %w (set TMPDIR to a folder that can be written to, and start the kernel again)", err)
	}
	if runsNothing(dir) {
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

// runsNothing reports whether a folder's file system is mounted so that no program there can be run.
func runsNothing(dir string) bool {
	var s unix.Statfs_t
	return unix.Statfs(dir, &s) == nil && s.Flags&unix.ST_NOEXEC != 0
}

// lockFolder makes the file that says whose the folder is. It has its name only when it is locked.
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

// temp is where programs that a session runs keep what they need for a while.
func (f *folder) temp() string { return filepath.Join(f.path, proto.TempName) }

// remove removes the folder with all that is in it.
func (f *folder) remove() error {
	err := os.RemoveAll(f.path)
	if f.lock != nil {
		f.lock.Close()
	}
	return err
}

// removeEnded removes the folders of sessions whose kernel process has ended without doing so, and ends what cells had started there.
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
		return // it is no session's, or one of an earlier release
	}
	defer lock.Close()
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return // its kernel process lives
	}
	text := make([]byte, 20)
	n, _ := lock.Read(text)
	if session, err := strconv.Atoi(string(text[:n])); err == nil {
		children.End(proto.DirEnv+"="+dir, session)
	}
	_ = os.RemoveAll(dir) // the next one may have more luck
}

// escaped makes a path one that filepath.Glob takes as it is.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Mark is the entry in the environment of all processes that the session's cells start, which end with the session.
func (s *Session) Mark() string { return proto.DirEnv + "=" + s.dir }

// TempDirFor returns the TempDir of the session that this process was started by a cell of, or "".
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

// TempDir is a folder that is removed when the session ends, however that happens.
func (s *Session) TempDir() string { return s.folder.temp() }

// endOffspring ends what the cells of a session process that has ended had started, and returns what can't be told to belong to it any more.
func (p *process) endOffspring() { p.left = children.End(p.mark, children.OwnSession()) }

// tellLeft says which programs of cells go on without the session process.
func (s *Session) tellLeft(p *process) {
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
