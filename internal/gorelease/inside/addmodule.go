package inside

// AddModule returns a function that a plugin calls when it is opened, runtime.addmoduledata. A program that mentions it has it for all
// plugins; otherwise the first one would be linked again, with the whole of package runtime.
func AddModule() any { return addModule }

func addModule()
