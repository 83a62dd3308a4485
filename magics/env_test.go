package magics

import (
	"strings"
	"testing"
)

func TestMasked(t *testing.T) {
	for _, name := range []string{
		"GITHUB_TOKEN", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "OPENAI_API_KEY", "MYSQL_PWD", "PGPASSWORD", "DB_PASS", "npm_config__auth",
		"GOOGLE_APPLICATION_CREDENTIALS", "APIKEY", "SSH_PRIVATE", "JUPYTER_TOKEN", "GH_PAT",
	} {
		got := masked(name + "=a=b c")
		if strings.Contains(got, "a=b") || !strings.HasPrefix(got, name+"=***") || !strings.Contains(got, "%env "+name) {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, entry := range []string{
		"HOME=/root", "PATH=/bin:/usr/bin", "PWD=/tmp", "OLDPWD=/", "KEYBOARD=de", "MONKEY=3", "SSH_ASKPASS=/usr/bin/x", "COMPASS=north", "GITHUB_TOKEN=",
		"HTTP_PROXY=http://proxy:8080", "URL=https://example.com/a:b@c", "X=a:b@c", "EMPTY=", "PATTERN=*",
	} {
		if got := masked(entry); got != entry {
			t.Errorf("%s is shown as %s", entry, got)
		}
	}
	if got, want := masked("DATABASE_URL=postgres://me:hidden@host/db?x=1"), "DATABASE_URL=postgres://me:********@host/db?x=1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
