package tutor

import (
	"fmt"
	"slices"
	"strings"
)

// Types returns the names of the types of items.
func Types() (names []string) {
	for _, t := range allTypes {
		names = append(names, string(t))
	}
	return names
}

// Types returns the number of items of each type, as text.
func (r Report) Types() string {
	var parts []string
	for _, t := range allTypes {
		if n := r.ByType[t]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, t))
		}
	}
	return strings.Join(parts, ", ")
}

// Template returns the text of an item.md to fill in.
func Template(t Type, concept string) (string, error) {
	if !slices.Contains(allTypes, t) {
		return "", fmt.Errorf("there is no type %q: the types are %s", t, strings.Join(Types(), ", "))
	}
	if !ids.MatchString(concept) {
		return "", fmt.Errorf("%q is no name of a concept: concepts.md has them", concept)
	}
	fields := fmt.Sprintf("---\ntype: %s\nconcepts: %s\nlevel: 0\n", t, concept)
	body := ""
	switch t {
	case Choice, Multiple:
		body = "What is right?\n\n## Answers\n\n+ this\n- that [name-of-the-misconception]\n  What is wrong with that.\n- another one [name-of-the-misconception]\n  What is wrong with that.\n"
		if t == Multiple {
			body = strings.Replace(body, "+ this\n", "+ this\n+ this, too\n", 1)
		}
	case Numeric:
		fields += "unit: blocks\nwith: n = 1000 | 5000\n"
		body = "How many blocks of 256 threads do {n} elements need?\n\n## Answers\n\n+ = ceil({n} / 256)\n- = floor({n} / 256) [floor-div]\n  Rounded down, the last elements have no thread.\n"
	case Short:
		body = "Which word is it?\n\n## Answers\n\n+ this\n+ this, spelled in another way\n- that [name-of-the-misconception]\n  What is wrong with that.\n"
	case Order:
		body = "Order the lines.\n\n## Lines\n\n1 | first\n2 | second\n3 | third\n- | a line that does not belong there [name-of-the-misconception]\n  Why it does not.\n"
	case Predict:
		body = "What does this print?\n\n## Program\n\n```go\nfmt.Println(1 + 1)\n```\n\n## Answers\n\n+ 2\n- 11 [name-of-the-misconception]\n  What is wrong with that.\n"
	default:
		fields += "language: cuda\n"
		body = codeTemplate
		if t == Optimise {
			body = strings.Replace(body, "## Given", "## Setup\n\n```cuda\n"+referenceTemplate+"```\n\n## Given", 1)
			body = strings.Replace(body, "\n```\n\n## Wrong", "\n"+speedTemplate+"```\n\n## Wrong", 1)
		}
	}
	return fields + "---\n" + body + "\n## Why\n\nWhy the right answer is right.\n\n## Hints\n\n* A first hint.\n", nil
}

const codeTemplate = "What the kernel is to do.\n\n## Given\n\n```cuda\n__global__ void square(const float *x, float *out, int n) {\n    // what the learner begins with\n}\n```\n\n" +
	"## Solution\n\n```cuda\n__global__ void square(const float *x, float *out, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = x[i] * x[i];\n}\n```\n\n" +
	"## Test\n\n```go\nverify.Run(\"square\", 256, func(c *verify.Case) error {\n\tx := c.Float32s(c.N)\n\tout := verify.Output[float32](c, c.N, func(i int) float64 { return float64(x[i]) * float64(x[i]) })\n\treturn square.Launch(gpu.For(c.N, 256), verify.Input(c, x), out, c.N)\n})\n```\n\n" +
	"## Wrong [guard-automatic]\n\nRefused: written past the end\nWhat is wrong.\n\n```cuda\n__global__ void square(const float *x, float *out, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    out[i] = x[i] * x[i];\n}\n```\n"

const (
	referenceTemplate = "__global__ void reference(const float *x, float *out, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = x[i] * x[i];\n}\n"
	speedTemplate     = "func() error {\n\tn := 1 << 24\n\tif must(gpu.Current()).Properties().Simulated {\n\t\tn = 1024 // no times are taken there\n\t}\n\tx, out := gpu.Zeros[float32](n), gpu.Zeros[float32](n)\n" +
		"\treturn verify.Speed(\"square\", 1/1.2,\n\t\tfunc() error { return reference.Launch(gpu.For(n, 256), x, out, n) },\n\t\tfunc() error { return square.Launch(gpu.For(n, 256), x, out, n) })\n}()\n"
)
