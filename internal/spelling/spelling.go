package spelling

import "strings"

// Nearest returns the known name with the fewest edits from name, if they are few, or "". Upper and lower
// case are the same.
func Nearest(name string, known []string) string { return nearest(name, known, max(2, len(name)/3)) }

// Likely is like Nearest for names that may be correct but unknown: the edits must be fewer than a third of the
// letters.
func Likely(name string, known []string) string { return nearest(name, known, (len(name)-1)/3) }

func nearest(name string, known []string, most int) string {
	best, least := "", most+1
	for _, k := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < least && d < len(name) {
			best, least = k, d
		}
	}
	return best
}

// distance returns the number of letters that must be replaced, deleted, inserted or exchanged with
// their neighbour to change a to b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j-1]+cost, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
