package cxx

// basicWord are the words of basic types.
var basicWord = map[string]bool{
	"bool": true, "char": true, "short": true, "int": true, "long": true, "float": true,
	"double": true, "void": true, "signed": true, "unsigned": true, "wchar_t": true,
	"char8_t": true, "char16_t": true, "char32_t": true, "__int128": true, "auto": true,
}

// IsBasicType reports whether the word is part of names of basic types.
func IsBasicType(word string) bool { return basicWord[word] }
