package funcname

import "testing"

func TestRestore(t *testing.T) {
	for given, want := range map[string]string{
		"":                             "",
		"main/c12.Ͼf\x00":              "main.f",
		"main/c1.(*Ͼt).Ͼm.func1\x00":   "main.(*t).m.func1",
		"fmt.Println\x00":              "fmt.Println",
		"main/c7.Map[main/c3.Ͼa]\x00":  "main.Map[main.a]",
		"a\x00main/c5.F\x00b\x00":      "a\x00main.F",
		"main/c1.Ͼcut off with no NUL": "main/c1.Ͼcut off with no NUL",
	} {
		table := []byte(given)
		Restore(table)
		if len(table) != len(given) || string(table[:len(want)]) != want || len(want) < len(table) && table[len(want)] != 0 {
			t.Errorf("%q became %q, want %q and NULs", given, table, want)
		}
	}
}
