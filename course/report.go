package course

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Report is a list of grades with a signature, which shows that the owner of a key has made it and nobody has changed it since.
type Report struct {
	Course string    `json:"course"`
	Made   time.Time `json:"made"`
	Grades []Grade   `json:"grades"`
	// PublicKey and Signature are in base64. The signature is Ed25519's, of the compact JSON of the report with an empty Signature.
	PublicKey string `json:"public_key"`
	Signature string `json:"signature"`
}

// Sign returns a report of grades that is signed with a key.
func Sign(course string, made time.Time, grades []Grade, key ed25519.PrivateKey) (Report, error) {
	r := Report{Course: course, Made: made.UTC().Truncate(time.Second), Grades: grades}
	r.PublicKey = base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
	text, err := json.Marshal(r)
	if err != nil {
		return Report{}, fmt.Errorf("sign a report: %w", err)
	}
	r.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(key, text))
	return r, nil
}

// Verify returns an error if the report is not as the owner of the public key has signed it. by is that key in base64; "" accepts any.
func (r Report) Verify(by string) error {
	if by != "" && by != r.PublicKey {
		return fmt.Errorf("verify the report: it is signed with the key %s, not with %s", r.PublicKey, by)
	}
	public, err := base64.StdEncoding.DecodeString(r.PublicKey)
	if err != nil || len(public) != ed25519.PublicKeySize {
		return fmt.Errorf("verify the report: its public key %q is no key of Ed25519", r.PublicKey)
	}
	signature, err := base64.StdEncoding.DecodeString(r.Signature)
	if err != nil {
		return fmt.Errorf("verify the report: read its signature: %w", err)
	}
	r.Signature = ""
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("verify the report: %w", err)
	}
	if !ed25519.Verify(public, text, signature) {
		return errors.New("verify the report: it was changed after it was signed")
	}
	return nil
}
