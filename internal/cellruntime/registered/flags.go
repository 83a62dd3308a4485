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

// Remove makes a set of the other flags. It takes the place of the old one, which others may hold.
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
		_ = fresh.Parse(append([]string{"--"}, old.Args()...)) // which are no flags
	}
	*old = *fresh
}
