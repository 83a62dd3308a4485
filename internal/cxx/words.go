package cxx

// basicWord are the words that basic types are made of.
var basicWord = map[string]bool{
	"bool": true, "char": true, "short": true, "int": true, "long": true, "float": true,
	"double": true, "void": true, "signed": true, "unsigned": true, "wchar_t": true,
	"char8_t": true, "char16_t": true, "char32_t": true, "__int128": true, "auto": true,
}

// IsBasicType reports whether basic types are made of the word.
func IsBasicType(word string) bool { return basicWord[word] }
