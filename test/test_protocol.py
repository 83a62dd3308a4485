"""Jupyter's own test of kernels, against the real kernel."""

import jupyter_client.manager
import jupyter_kernel_test
import pytest


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


# Tests that are missing there, by Jupyter's own client.


@pytest.fixture(scope="module")
def client():
    manager, client = jupyter_client.manager.start_new_kernel(kernel_name="gopherwarp")
    yield client
    client.stop_channels()
    manager.shutdown_kernel()


def ask(client, channel, receive, msg_type, content, subshell=None):
    """Sends a request and returns the content of its reply."""
    message = client.session.msg(msg_type, content)
    if subshell:
        message["header"]["subshell_id"] = subshell
    channel.send(message)
    while True:
        reply = receive(timeout=60)
        if reply["parent_header"]["msg_id"] == message["header"]["msg_id"]:
            return reply["content"]


def test_user_expressions(client):
    reply = client.execute("answer := 42", user_expressions={"good": "answer / 2", "bad": "nothing"}, reply=True, timeout=60)
    got = reply["content"]["user_expressions"]
    assert got["good"] == {"status": "ok", "data": {"text/plain": "21"}, "metadata": {}}
    assert got["bad"]["status"] == "error"
    assert "undefined: nothing" in got["bad"]["evalue"]


def test_comm_of_unknown_target_is_closed(client):
    message = client.session.msg("comm_open", {"comm_id": "c1", "target_name": "nowhere", "data": {}})
    client.shell_channel.send(message)
    seen = []
    while "idle" not in seen:
        m = client.get_iopub_msg(timeout=60)
        if m["parent_header"].get("msg_id") == message["header"]["msg_id"]:
            seen.append(m["content"].get("execution_state") or (m["msg_type"], m["content"]["comm_id"]))
    assert seen == ["busy", ("comm_close", "c1"), "idle"]


def test_subshell_answers_while_a_cell_runs(client):
    subshell = ask(client, client.control_channel, client.get_control_msg, "create_subshell_request", {})["subshell_id"]
    cell = client.execute("select {}")
    while True:  # until it runs
        m = client.get_iopub_msg(timeout=60)
        if m["msg_type"] == "execute_input" and m["parent_header"]["msg_id"] == cell:
            break
    info = ask(client, client.shell_channel, client.get_shell_msg, "kernel_info_request", {}, subshell)
    assert "kernel subshells" in info["supported_features"]
    ask(client, client.control_channel, client.get_control_msg, "interrupt_request", {})
    while True:
        reply = client.get_shell_msg(timeout=60)
        if reply["parent_header"]["msg_id"] == cell:
            break
    assert reply["content"]["status"] == "error"
    gone = ask(client, client.control_channel, client.get_control_msg, "delete_subshell_request", {"subshell_id": subshell})
    assert gone["status"] == "ok"


def test_stdin_prompts(client):
    """Jupyter's own client gets a request when a program reads its standard input."""
    asked, shown = [], []

    def answer(message):
        asked.append(message["content"])
        client.input("gopher")

    def output(message):
        shown.append(message["content"].get("text", ""))

    reply = client.execute_interactive(
        'fmt.Print("Name: ")\nname := must(bufio.NewReader(os.Stdin).ReadString(\'\\n\'))\nfmt.Printf("%q\\n", name)',
        allow_stdin=True, timeout=60, stdin_hook=answer, output_hook=output,
    )
    assert reply["content"]["status"] == "ok"
    assert [q["password"] for q in asked] == [False]
    assert asked[0]["prompt"] in ("Name: ", "")  # the latter if the text was sent before
    assert "".join(shown).removeprefix("Name: ") == '"gopher\\n"\n'

    reply = client.execute("var n int\nfmt.Scan(&n)", allow_stdin=False, reply=True, timeout=60)
    assert reply["content"]["status"] == "error"
    assert reply["content"]["evalue"] == "EOF"
