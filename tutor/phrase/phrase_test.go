package phrase

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestEndpoint asks a server on this machine.
func TestEndpoint(t *testing.T) {
	for name, c := range map[string]struct {
		status      int
		reply       string
		want, wrong string
	}{
		"an answer":      {200, `{"choices": [{"message": {"role": "assistant", "content": " Think of 32 lanes. "}}]}`, "Think of 32 lanes.", ""},
		"a long answer":  {200, `{"choices": [{"message": {"content": "` + strings.Repeat("ü", 5000) + `"}}]}`, strings.Repeat("ü", 2000) + "…", ""},
		"nothing":        {200, `{"choices": []}`, "", "answers nothing"},
		"another format": {200, `<html>`, "", "another format"},
		"an error":       {429, `{}`, "", "429 Too Many Requests"},
	} {
		t.Run(name, func(t *testing.T) {
			var path, key, body string
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				path, key, body = r.URL.Path, r.Header.Get("Authorization"), string(data)
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.reply)
			}))
			defer s.Close()
			t.Setenv(URLEnv, s.URL+"/v1/")
			t.Setenv(ModelEnv, "small")
			t.Setenv(KeyEnv, "secret")
			e, err := FromEnv()
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Phrase(t.Context(), "How many lanes has a warp?", "33")
			if got != c.want || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%q, %v, want %q, %q", got, err, c.want, c.wrong)
			}
			var sent struct {
				Model    string
				Messages []message
			}
			if err := json.Unmarshal([]byte(body), &sent); err != nil {
				t.Fatal(err)
			}
			if path != "/v1/chat/completions" || key != "Bearer secret" || sent.Model != "small" || len(sent.Messages) != 2 || sent.Messages[1].Content != "How many lanes has a warp?\n\nThe learner's answer:\n\n33" {
				t.Errorf("%s got %s with %s", path, body, key)
			}
		})
	}
	s := httptest.NewServer(nil)
	s.Close()
	e, err := New(s.URL, "small", "")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := e.Phrase(t.Context(), "q", "a"); err == nil {
		t.Errorf("a server that is gone answers %q", text)
	}
}

func TestEnvironment(t *testing.T) {
	for _, c := range []struct{ url, model, wrong string }{
		{"", "", ""},
		{"localhost:80", "m", "is no URL of an endpoint"},
		{"file:///etc/passwd", "m", "is no URL of an endpoint"},
		{"http://%zz", "m", "invalid URL escape"},
		{"http://localhost/v1", "", "needs the name of a model"},
	} {
		t.Setenv(URLEnv, c.url)
		t.Setenv(ModelEnv, c.model)
		e, err := FromEnv()
		if e != nil || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%q, %q: %v, %v, want %q", c.url, c.model, e, err, c.wrong)
		}
	}
}
