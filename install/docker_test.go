package install

import (
	"os"
	"regexp"
	"testing"
)

// TestBaseImagesHaveDigests checks that base images have digests: a tag can be moved to
// another image, a digest can't.
func TestBaseImagesHaveDigests(t *testing.T) {
	text, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	images := regexp.MustCompile(`(?m)^ARG \w+_IMAGE=(\S+)$|^FROM ([^$\s]+)`).FindAllSubmatch(text, -1)
	stages := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^FROM \S+ AS (\w+)$`).FindAllSubmatch(text, -1) {
		stages[string(m[1])] = true
	}
	if len(images) == 0 {
		t.Error("the Dockerfile names no image")
	}
	for _, m := range images {
		image := string(m[1]) + string(m[2])
		if stages[image] {
			continue
		}
		if !regexp.MustCompile(`@sha256:[0-9a-f]{64}$`).MatchString(image) {
			t.Errorf("%s has no digest", image)
		}
	}
}
