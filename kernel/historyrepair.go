package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// RepairHistory reads the whole file with the cells of earlier sessions. If the file is damaged it is renamed, so that the next kernel
// begins a new one, and wrong describes the damage. The file need not exist.
func RepairHistory(path string) (wrong string, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	damage := checkHistory(path)
	if !isDamaged(damage) {
		return "", damage
	}
	aside, err := putHistoryAside(path)
	if err != nil {
		return damage.Error(), err
	}
	return fmt.Sprintf("%s is %v; it is now %s", path, damage, aside), nil
}

func checkHistory(path string) error {
	f, err := connectHistory(path)
	if err != nil {
		return err
	}
	defer f.close()
	return f.check("integrity_check")
}

// check runs a check of SQLite: quick_check, or integrity_check, which reads the whole file.
func (f *historyFile) check(how string) error {
	var found string
	if err := f.db.QueryRow("PRAGMA " + how + "(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return errDamaged(found)
	}
	return nil
}

// putHistoryAside renames a damaged file and returns the new name.
func putHistoryAside(path string) (aside string, err error) {
	aside = path + ".damaged"
	if err := os.Rename(path, aside); err != nil {
		return "", fmt.Errorf("put the damaged history aside: %w", err)
	}
	_ = os.Remove(path + "-journal") // belongs to the damaged file; it seldom exists
	return aside, nil
}
