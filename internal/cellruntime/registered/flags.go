package registered

import "flag"

func init() { Add(flags{}) }

// flags are those of the command line.
type flags struct{}

func (flags) Names() map[string]any {
	names := map[string]any{}
	flag.VisitAll(func(f *flag.Flag) { names[f.Name] = f })
	return names
}

// Remove replaces the set of flags by one without these names. The old set, which others may use, stays unchanged.
func (flags) Remove(names map[string]bool) {
	old := flag.CommandLine
	fresh := flag.NewFlagSet(old.Name(), old.ErrorHandling())
	fresh.SetOutput(old.Output())
	fresh.Usage = old.Usage
	old.VisitAll(func(f *flag.Flag) {
		if !names[f.Name] {
			fresh.Var(f.Value, f.Name, f.Usage)
			fresh.Lookup(f.Name).DefValue = f.DefValue
		}
	})
	if old.Parsed() {
		_ = fresh.Parse(append([]string{"--"}, old.Args()...)) // which are not flags
	}
	*old = *fresh
}
