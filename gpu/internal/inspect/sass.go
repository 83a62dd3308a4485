package inspect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
)

// disassemble returns the machine code of a cubin's kernels, by symbol.
func disassemble(ctx context.Context, cubin []byte, program string) (map[string][]backend.Instruction, error) {
	if len(cubin) == 0 {
		return nil, errors.New("there is no machine code: the compiler only made PTX, as for a GPU newer than the compiler; name an architecture that it supports, as in --arch=sm_90")
	}
	tool := driver.FindTool("nvdisasm")
	if tool == "" {
		return nil, errors.New("nvdisasm, which reads machine code, was not found: `pip install nvidia-cuda-nvdisasm`, or set CUDA_HOME to the directory of a CUDA toolkit. --ptx works without it")
	}
	f, err := os.CreateTemp("", "gopherwarp-*.cubin")
	if err != nil {
		return nil, fmt.Errorf("write the compiled program for nvdisasm: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(cubin)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, fmt.Errorf("write the compiled program for nvdisasm: %w", err)
	}
	out, err := exec.CommandContext(ctx, tool, "--print-code", "--print-line-info", f.Name()).Output()
	if err != nil {
		why := err.Error()
		var failed *exec.ExitError
		if errors.As(err, &failed) && len(failed.Stderr) > 0 {
			why = strings.TrimSpace(string(failed.Stderr))
		}
		return nil, fmt.Errorf("nvdisasm (%s) can't read the compiled program: %s. It may be older than the compiler", tool, why)
	}
	return readSASS(string(out), program), nil
}

var (
	sassSection = regexp.MustCompile(`^\.text\.(\S+):`)
	sassLine    = regexp.MustCompile(`^\s*//## File "([^"]+)", line (\d+)`)
	sassCode    = regexp.MustCompile(`^\s*/\*([0-9a-f]{4,})\*/\s+(.*)$`)
	sassLabel   = regexp.MustCompile(`^(\.L_\S+):`)
)

// readSASS parses nvdisasm's listing, without the padding at the end of each kernel.
func readSASS(listing, program string) map[string][]backend.Instruction {
	all := map[string][]backend.Instruction{}
	kernel, file, line := "", "", 0
	for text := range strings.Lines(listing) {
		text = strings.TrimRight(text, " \n")
		if m := sassSection.FindStringSubmatch(text); m != nil {
			kernel, file, line = m[1], "", 0
			continue
		}
		if kernel == "" {
			continue
		}
		if m := sassLine.FindStringSubmatch(text); m != nil {
			file = sourceFile(m[1], program)
			line, _ = strconv.Atoi(m[2])
			continue
		}
		at := backend.Instruction{Address: -1, File: file, Line: line}
		if m := sassLabel.FindStringSubmatch(text); m != nil {
			at.Text = m[1] + ":"
			all[kernel] = append(all[kernel], at)
		} else if m := sassCode.FindStringSubmatch(text); m != nil {
			address, err := strconv.ParseInt(m[1], 16, 64)
			if err != nil {
				continue
			}
			at.Address, at.Text = int(address), strings.TrimSpace(strings.TrimSuffix(m[2], ";"))
			all[kernel] = append(all[kernel], at)
		}
	}
	for kernel, code := range all {
		code = withoutPadding(code)
		labelsBeforeCode(code)
		all[kernel] = code
	}
	return all
}

// withoutPadding removes what follows the last instruction that is ever executed: a branch to itself, and instructions without
// effect.
func withoutPadding(code []backend.Instruction) []backend.Instruction {
	n := len(code)
	for n > 0 && (code[n-1].Text == "NOP" || code[n-1].Address < 0) {
		n--
	}
	if n > 1 && strings.HasPrefix(code[n-1].Text, "BRA") && code[n-2].Address < 0 && strings.Contains(code[n-1].Text, strings.TrimSuffix(code[n-2].Text, ":")+")") {
		n -= 2
	}
	return code[:n]
}
