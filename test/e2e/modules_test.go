package e2e

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/modproxy"
)

func number(version, value string) modproxy.Module {
	return modproxy.Module{Path: "example.test/number", Version: version, Files: map[string]string{
		"number.go": "package number\n\nconst Value = " + value + "\n\nfunc Get() int { return Value }\n",
	}}
}

func TestModules(t *testing.T) {
	t.Parallel()
	proxy := t.TempDir()
	if err := modproxy.Write(proxy, number("v1.0.0", "1"), number("v1.1.0", "2")); err != nil {
		t.Fatal(err)
	}
	n := open(t, modproxy.Env(proxy, t.TempDir())...)
	if got := n.run("%get").stdout; got != "no modules are pinned\n" {
		t.Errorf("%%get prints %q", got)
	}
	n.run("%noautoget")
	n.fails("import \"example.test/number\"", "%get example.test/number")
	n.run("%autoget")
	if got := n.run("%get example.test/number@v1.0.0").stdout; !strings.HasSuffix(got, "example.test/number v1.0.0\n") {
		t.Errorf("printed %q", got)
	}
	n.gives("import \"example.test/number\"\nx := 5\nnumber.Get()", "1")
	if got := n.run("%get").shown; !strings.Contains(got, "example.test/number  v1.0.0   loaded") {
		t.Errorf("%%get shows %q", got)
	}
	n.fails("%get example.test/number@latest", "example.test/number v1.1.0, but v1.0.0 is loaded")
	n.gives("number.Get() + x", "6")
	n.run("%reset")
	n.gives("import \"example.test/number\"\nnumber.Get()", "2")
	n.fails("%get -u example.test/number", "Usage: %get")
	n.fails("%get example.test/missing", "Check the spelling")
}

// TestInterruptedFetch uses a proxy that never answers.
func TestInterruptedFetch(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	end := make(chan struct{})
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-end
	}))
	defer proxy.Close()
	defer close(end)
	n := open(t, append(modproxy.Env("", t.TempDir()), "GOPROXY="+proxy.URL)...)
	n.run("kept := 1")
	before := n.run("!*cat go.mod").stdout
	for _, cell := range []string{"import \"example.test/number\"\nnumber.Get()", "%get example.test/number@v1.0.0"} {
		go func() {
			<-asked
			_ = n.Interrupt(t.Context())
		}()
		n.fails(cell, "nterrupted")
		n.gives("kept", "1")
		if after := n.run("!*cat go.mod").stdout; after != before {
			t.Errorf("go.mod was\n%s\nand is\n%s", before, after)
		}
		for len(asked) > 0 {
			<-asked
		}
	}
}

// TestPrivateModule uses a proxy that requires a password, which is in a netrc file.
func TestPrivateModule(t *testing.T) {
	t.Parallel()
	files := t.TempDir()
	if err := modproxy.Write(files, number("v1.0.0", "7")); err != nil {
		t.Fatal(err)
	}
	serve := http.FileServer(http.Dir(files))
	proxy := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "gopher" || password != "warp" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		serve.ServeHTTP(w, r)
	}))
	defer proxy.Close()
	dir := t.TempDir()
	netrc, cert := filepath.Join(dir, "netrc"), filepath.Join(dir, "cert.pem")
	password := func(text string) {
		line := "machine " + proxy.Listener.Addr().String() + " login gopher password " + text + "\n"
		if err := os.WriteFile(netrc, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	password("wrong")
	if err := os.WriteFile(cert, pemOf(proxy), 0o600); err != nil {
		t.Fatal(err)
	}
	n := open(t, append(modproxy.Env("", t.TempDir()), "GOPROXY="+proxy.URL, "GONOSUMDB=example.test", "NETRC="+netrc, "SSL_CERT_FILE="+cert)...)
	n.fails("import \"example.test/number\"", "~/.netrc")
	password("warp")
	n.gives("import \"example.test/number\"\nnumber.Get()", "7")
}

func pemOf(s *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}
