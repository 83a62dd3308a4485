package kernel

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite" // SQLite translated to Go: cells need a C compiler, the kernel does not
	sqlite3 "modernc.org/sqlite/lib"
)

const historySchema = `
CREATE TABLE IF NOT EXISTS session (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	started TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS cell (
	session INTEGER NOT NULL REFERENCES session(id),
	line INTEGER NOT NULL,
	input TEXT NOT NULL,
	output TEXT,
	PRIMARY KEY (session, line)
) WITHOUT ROWID;`

// historyFile is an SQLite database with the cells of all sessions. Any number of kernels can have it open. It uses SQLite's rollback
// journal instead of a write-ahead log, which needs memory shared between processes and so does not work in a home directory on a
// network.
type historyFile struct{ db *sql.DB }

// openHistoryFile opens the database and begins a session in it. A damaged file is renamed.
func openHistoryFile(path string, log *slog.Logger) (f *historyFile, session int, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, 0, fmt.Errorf("find the history: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, 0, fmt.Errorf("make the folder of the history: %w", err)
	}
	f, session, err = beginHistory(path)
	if !isDamaged(err) {
		return f, session, err
	}
	aside, asideErr := putHistoryAside(path)
	if asideErr != nil {
		return nil, 0, asideErr
	}
	log.Warn("the history is damaged; a new one begins", "old", aside, "err", err)
	return beginHistory(path)
}

func beginHistory(path string) (f *historyFile, session int, err error) {
	// The input of a user is private. SQLite itself would use the umask.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("open history: %w", err)
	}
	_ = file.Close() // nothing was written
	if f, err = connectHistory(path); err != nil {
		return nil, 0, err
	}
	if session, err = f.begin(); err != nil {
		f.close()
		return nil, 0, fmt.Errorf("open history %s: %w", path, err)
	}
	return f, session, nil
}

// connectHistory returns a connection to the database, which it does not open yet.
func connectHistory(path string) (*historyFile, error) {
	name := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", historyPatience.Milliseconds()), "synchronous(NORMAL)"},
		"_txlock": {"immediate"}, // two writers wait for each other instead of failing half-way
	}.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, fmt.Errorf("open history %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	return &historyFile{db}, nil
}

// errDamaged is the finding of SQLite's own check.
type errDamaged string

func (e errDamaged) Error() string { return "damaged: " + string(e) }

func isDamaged(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		code := e.Code() & 0xff // the other bits are more specific
		return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
	}
	_, ok := errors.AsType[errDamaged](err)
	return ok
}

// isBusy reports whether another program has kept the file locked for as long as SQLite waits (historyPatience).
func isBusy(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

func (f *historyFile) begin() (session int, err error) {
	if err := f.check("quick_check"); err != nil {
		return 0, err
	}
	if _, err := f.db.Exec(historySchema); err != nil {
		return 0, err
	}
	if err := f.trim(maxKeptCells, maxKeptBytes); err != nil {
		return 0, err
	}
	r, err := f.db.Exec("INSERT INTO session (started) VALUES (?)", time.Now().UTC().Format(time.RFC3339))
	if err != nil {
		return 0, err
	}
	id, err := r.LastInsertId()
	return int(id), err
}

// trim deletes the oldest sessions until at most that many cells and bytes of text are left. It keeps the newest session.
func (f *historyFile) trim(cells, bytes int) error {
	_, err := f.db.Exec(`
WITH one AS (
	SELECT session, COUNT(*) AS cells, SUM(LENGTH(input) + LENGTH(COALESCE(output, ''))) AS bytes FROM cell GROUP BY session
), since AS (
	SELECT session, SUM(cells) OVER (ORDER BY session DESC) AS cells, SUM(bytes) OVER (ORDER BY session DESC) AS bytes FROM one
)
DELETE FROM cell
WHERE session <= (SELECT MAX(session) FROM since WHERE cells > ? OR bytes > ?) AND session < (SELECT MAX(session) FROM cell)`, cells, bytes)
	if err != nil {
		return fmt.Errorf("trim history: %w", err)
	}
	return nil
}

func (f *historyFile) close() { _ = f.db.Close() }

// add writes cells of a session, all or none.
func (f *historyFile) add(session int, cells []historyCell) error {
	if len(cells) == 0 {
		return nil
	}
	tx, err := f.db.Begin()
	if err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	defer tx.Rollback() // does nothing after a commit
	for _, c := range cells {
		if len(c.input) > maxKeptInput {
			continue
		}
		output, _ := c.output.(string)
		if _, err := tx.Exec("INSERT OR REPLACE INTO cell VALUES (?, ?, ?, ?)",
			session, c.line, c.input, sql.NullString{String: output, Valid: output != ""}); err != nil {
			return fmt.Errorf("write history: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	return nil
}

// tail returns the last n cells of sessions other than own; all if n is nil.
func (f *historyFile) tail(own int, n *int) ([]historyCell, error) {
	limit := -1
	if n != nil {
		limit = *n
	}
	cells, err := f.query("session <> ? ORDER BY session DESC, line DESC LIMIT ?", own, limit)
	slices.Reverse(cells)
	return cells, err
}

// search returns the cells of sessions other than own whose text matches a glob pattern.
func (f *historyFile) search(own int, pattern string) ([]historyCell, error) {
	// Brackets are special to SQLite, but not in Jupyter's patterns.
	pattern = strings.ReplaceAll(pattern, "[", "[[]")
	return f.query("session <> ? AND input GLOB ? ORDER BY session, line", own, pattern)
}

// lines returns the cells of a session from line start to line stop (exclusive).
func (f *historyFile) lines(session, start int, stop *int) ([]historyCell, error) {
	if stop == nil {
		return f.query("session = ? AND line >= ? ORDER BY line", session, start)
	}
	return f.query("session = ? AND line >= ? AND line < ? ORDER BY line", session, start, *stop)
}

func (f *historyFile) query(where string, args ...any) (cells []historyCell, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), historyPatience)
	defer cancel()
	rows, err := f.db.QueryContext(ctx, "SELECT session, line, input, output FROM cell WHERE "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var c historyCell
		var output sql.NullString
		if err := rows.Scan(&c.session, &c.line, &c.input, &output); err != nil {
			return nil, fmt.Errorf("read history: %w", err)
		}
		if output.Valid {
			c.output = output.String
		}
		cells = append(cells, c)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	return cells, nil
}
