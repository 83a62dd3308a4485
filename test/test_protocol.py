"""Jupyter's own test of kernels, against the real kernel."""

import jupyter_kernel_test


class TestProtocol(jupyter_kernel_test.KernelTests):
    kernel_name = "gopherwarp"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "oops")'
    completion_samples = [
        {"text": "strings.HasP", "matches": {"HasPrefix"}},
        {"text": "%%cud", "matches": {"%%cuda"}},
        {"text": "nothingBeginsLikeThis", "matches": set()},
    ]
    complete_code_samples = ["1 + 1", "x := 1\nx", "func f() {}", "%help", "fmt.Println?"]
    incomplete_code_samples = ["func f() {", "fmt.Println(", "x := `raw", "/* a comment", "if true {\n\tx := []int{"]
    invalid_code_samples = ["func func", "x := )"]
    code_page_something = "fmt.Println?"
    code_generate_error = "noSuchName + 1"
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": '"a" + "b"', "result": '"ab"'},
        {"code": "display.Markdown(`**bold**`)", "mime": "text/markdown", "result": "**bold**"},
    ]
    code_display_data = [
        {"code": "display.Show(display.Markdown(`*a*`))", "mime": "text/markdown"},
        {"code": "%help", "mime": "text/plain"},
    ]
    code_history_pattern = "6 ? 7*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "strings.HasPrefix"
    code_clear_output = "display.Clear(false)"


class TestWelcome(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "gopherwarp"
    support_iopub_welcome = True
