package gpuhost

import "github.com/gopherwarp/gopherwarp/gpu/check"

// Page returns a report of check mode as a cell shows it, or as JSON for programs.
func Page(r *check.Report, json bool) (map[string]any, error) {
	if json {
		return asJSON(r)
	}
	return page(r), nil
}
