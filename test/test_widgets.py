"""Widgets through the kernel's protocol, by Jupyter's own client, and their states beside those that ipywidgets makes."""

import base64
import json
import subprocess
import time

import anywidget
import conftest
import ipywidgets
import jupyter_client.manager
import nbconvert
import nbformat
import pytest


class FrontEnd:
    """A front end's ends of the comms of widgets, without drawing them."""

    def __init__(self, client):
        self.client = client
        self.states = {}  # of the widgets that are open, by id
        self.text = {"stdout": "", "stderr": ""}
        self.updates = 0

    def take(self, timeout):
        """Handles a message on iopub."""
        message = self.client.get_iopub_msg(timeout=timeout)
        kind, content = message["header"]["msg_type"], message["content"]
        if kind == "comm_open":
            assert content["target_name"] == "jupyter.widget"
            assert message["metadata"]["version"] == "2.1.0"
            self.states[content["comm_id"]] = self.with_buffers(content["data"], message["buffers"])
        elif kind == "comm_close":
            self.states.pop(content["comm_id"], None)
        elif kind == "comm_msg" and content["data"]["method"] in ("update", "echo_update"):
            self.updates += content["data"]["method"] == "update"
            self.states[content["comm_id"]].update(self.with_buffers(content["data"], message["buffers"]))
        elif kind == "stream":
            self.text[content["name"]] += content["text"]
        return message

    @staticmethod
    def with_buffers(data, buffers):
        assert len(data["buffer_paths"]) == len(buffers)
        for path, buffer in zip(data["buffer_paths"], buffers, strict=True):
            at = data["state"]
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = bytes(buffer)
        return data["state"]

    def until(self, condition, seconds=60):
        """Handles messages until the condition holds, and returns its value."""
        end = time.monotonic() + seconds
        while not (value := condition()):
            left = end - time.monotonic()
            assert left > 0, f"the condition does not hold after {seconds} s; printed: {self.text}"
            self.take(left)
        return value

    def start(self, code):
        """Starts a cell without waiting for it."""
        return self.client.execute(code)

    def run(self, code):
        """Runs a cell, and returns the data of its last display or result."""
        shown, idle, request = {}, False, self.start(code)
        while not idle:
            message = self.take(120)
            if message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["header"]["msg_type"], message["content"]
            assert kind != "error", content
            if kind in ("display_data", "execute_result"):
                shown = content["data"]
            idle = kind == "status" and content["execution_state"] == "idle"
        return shown

    def show(self, code):
        """Runs a cell that shows a widget, and returns the widget's id."""
        return self.run(code)["application/vnd.jupyter.widget-view+json"]["model_id"]

    def send(self, widget, data, buffers=()):
        """Sends a message to a widget."""
        message = self.client.session.msg("comm_msg", {"comm_id": widget, "data": data})
        self.client.session.send(self.client.shell_channel.socket, message, buffers=list(buffers))

    def move(self, widget, **state):
        """Sets properties of a widget, as the user does."""
        self.send(widget, {"method": "update", "state": state, "buffer_paths": []})


@pytest.fixture(scope="module")
def front():
    manager, client = jupyter_client.manager.start_new_kernel(kernel_name="gopherwarp", startup_timeout=120)
    front = FrontEnd(client)
    front.run("0;")
    yield front
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_slider(front):
    slider = front.show("n := widget.NewIntSlider(0, 100, 7)\nn.OnChange(func(v int) { fmt.Println(\"now\", v) })\nn")
    assert front.states[slider]["value"] == 7
    front.move(slider, value=42)
    front.until(lambda: "now 42\n" in front.text["stdout"])
    assert front.run("n.Value()")["text/plain"] == "42"
    front.run("n.Set(50)")
    front.until(lambda: front.states[slider]["value"] == 50 and "now 50\n" in front.text["stdout"])
    # Out of its range, from either side.
    front.run("n.Set(500)")
    front.until(lambda: front.states[slider]["value"] == 100)
    front.move(slider, value=-3)
    front.until(lambda: front.states[slider]["value"] == 0)


def test_while_a_cell_runs(front):
    slider = front.show("m := widget.NewIntSlider(0, 100, 7)\nm")
    front.start("for m.Value() != 9 {\n\ttime.Sleep(time.Millisecond)\n}\nm.Set(10)\nfor m.Value() != 11 {\n\ttime.Sleep(time.Millisecond)\n}\n\"seen\"")
    front.move(slider, value=9)
    front.until(lambda: front.states[slider]["value"] == 10)
    front.move(slider, value=11)
    front.until(lambda: front.take(60)["content"].get("data", {}).get("text/plain") == '"seen"')


# Each widget as Go makes it and as ipywidgets does.
PAIRS = {
    "NewIntSlider(0, 100, 0)": lambda w: w.IntSlider(),
    "NewIntRangeSlider(0, 100, [2]int{25, 75})": lambda w: w.IntRangeSlider(),
    "NewFloatSlider(0, 10, 0)": lambda w: w.FloatSlider(max=10),
    "NewFloatRangeSlider(0, 10, [2]float64{2, 7})": lambda w: w.FloatRangeSlider(value=(2, 7), max=10),
    "NewFloatLogSlider(0, 4, 1)": lambda w: w.FloatLogSlider(),
    "NewIntProgress(0, 100, 0)": lambda w: w.IntProgress(),
    "NewFloatProgress(0, 100, 0)": lambda w: w.FloatProgress(),
    "NewIntText(0)": lambda w: w.IntText(),
    "NewBoundedIntText(0, 100, 0)": lambda w: w.BoundedIntText(),
    "NewFloatText(0)": lambda w: w.FloatText(),
    "NewBoundedFloatText(0, 100, 0)": lambda w: w.BoundedFloatText(),
    'NewDropdown([]string{"a", "b"})': lambda w: w.Dropdown(options=["a", "b"]),
    'NewRadioButtons([]string{"a", "b"})': lambda w: w.RadioButtons(options=["a", "b"]),
    'NewSelect([]string{"a", "b"})': lambda w: w.Select(options=["a", "b"]),
    'NewSelectMultiple([]string{"a", "b"})': lambda w: w.SelectMultiple(options=["a", "b"]),
    'NewSelectionSlider([]string{"a", "b"})': lambda w: w.SelectionSlider(options=["a", "b"]),
    'NewSelectionRangeSlider([]string{"a", "b"})': lambda w: w.SelectionRangeSlider(options=["a", "b"]),
    'NewToggleButtons([]string{"a", "b"})': lambda w: w.ToggleButtons(options=["a", "b"]),
    "NewToggleButton(false)": lambda w: w.ToggleButton(),
    "NewCheckbox(false)": lambda w: w.Checkbox(),
    'NewButton("press")': lambda w: w.Button(description="press"),
    'NewText("")': lambda w: w.Text(),
    'NewTextarea("")': lambda w: w.Textarea(),
    "NewPassword()": lambda w: w.Password(),
    'NewLabel("")': lambda w: w.Label(),
    'NewHTML("")': lambda w: w.HTML(),
    'NewHTMLMath("")': lambda w: w.HTMLMath(),
    "NewImage()": lambda w: w.Image(),
    "NewColorPicker(color.Black)": lambda w: w.ColorPicker(value="#000000"),
    "NewPlay(0, 100, 0)": lambda w: w.Play(),
    "NewHBox()": lambda w: w.HBox(),
    "NewVBox()": lambda w: w.VBox(),
    "NewBox(nil)": lambda w: w.Box(),
    "NewGridBox(nil)": lambda w: w.GridBox(),
    'NewTab([]widget.Page{{"a", widget.NewLabel("x")}})': lambda w: w.Tab([w.Label("x")], titles=["a"]),
    'NewAccordion([]widget.Page{{"a", widget.NewLabel("x")}})': lambda w: w.Accordion([w.Label("x")], titles=["a"]),
    'NewStack([]widget.Page{{"a", widget.NewLabel("x")}})': lambda w: w.Stack([w.Label("x")], titles=["a"], selected_index=0),
    "NewFileUpload()": lambda w: w.FileUpload(),
    "NewOutput()": lambda w: w.Output(),
    'NewModule("export default {}", "", nil)': lambda _: own_module(),
}


def own_module():
    class Own(anywidget.AnyWidget):
        _esm = "export default {}"

    return Own()


def resolved(state, find):
    """Returns a state with the states that it refers to in place of their ids."""
    out = {}
    for name, value in state.items():
        if isinstance(value, str) and value.startswith("IPY_MODEL_"):
            value = resolved(find(value.removeprefix("IPY_MODEL_")), find)
        elif isinstance(value, (list, tuple)):
            value = [resolved({0: v}, find)[0] for v in value]
        elif isinstance(value, memoryview):
            value = bytes(value)
        out[name] = value
    # It is the name of the class in Python.
    out.pop("_anywidget_id", None)
    return out


@pytest.fixture(scope="module")
def made(front):
    """The states of all PAIRS that Go has made, in one cell."""
    box = front.show("widget.NewBox([]widget.Any{" + ", ".join(f"widget.{go}" for go in PAIRS) + "})")
    states = resolved(front.states[box], front.states.get)["children"]
    return dict(zip(PAIRS, states, strict=True))


@pytest.mark.parametrize("go", PAIRS)
def test_state_is_that_of_ipywidgets(made, go):
    want = PAIRS[go](ipywidgets).get_state()
    assert made[go] == resolved(want, lambda key: ipywidgets.widgets.widget._instances[key].get_state())


# What goes wrong.


def test_panic(front):
    slider = front.show("p := widget.NewIntSlider(0, 100, 7)\np.OnChange(func(v int) {\n\tif v == 13 {\n\t\tpanic(\"thirteen\")\n\t}\n\tfmt.Println(\"is\", v)\n})\np")
    front.move(slider, value=13)
    front.until(lambda: "OnChange failed" in front.text["stderr"] and "thirteen" in front.text["stderr"])
    front.move(slider, value=14)
    front.until(lambda: "is 14\n" in front.text["stdout"])


def test_blocked_callback(front):
    """A function that does not return stops neither cells nor other widgets, and an interrupt ends it."""
    slider = front.show("b := widget.NewIntSlider(0, 100, 7)\nb.OnChange(func(v int) {\n\tfmt.Println(\"blocked\", v)\n\tfor v == 1 {\n\t\ttime.Sleep(time.Millisecond)\n\t}\n})\nb")
    front.move(slider, value=1)
    front.until(lambda: "blocked 1\n" in front.text["stdout"])
    front.move(slider, value=2)
    other = front.show("c := widget.NewIntSlider(0, 100, 7)\nc.OnChange(func(v int) { fmt.Println(\"other\", v) })\nc")
    front.move(other, value=5)
    front.until(lambda: "other 5\n" in front.text["stdout"])
    assert front.run("b.Value()")["text/plain"] == "2"
    message = front.client.session.msg("interrupt_request", {})
    front.client.control_channel.send(message)
    front.until(lambda: "interrupted" in front.text["stderr"])
    front.move(slider, value=3)
    front.until(lambda: "blocked 3\n" in front.text["stdout"])


def test_many_updates_from_go(front):
    """What a loop sets is sent together: the last value is there, and the front end is not flooded."""
    bar = front.show("bar := widget.NewIntProgress(0, 100000, 0)\nbar")
    before, start = front.updates, time.monotonic()
    front.run("for i := range 100_001 {\n\tbar.Set(i)\n}")
    assert front.states[bar]["value"] == 100_000, "it is sent before the cell's end"
    assert front.updates - before <= (time.monotonic() - start) / 0.015 + 2


def test_many_updates_from_the_front_end(front):
    slider = front.show(
        "calls := 0\nf := widget.NewIntSlider(0, 10000, 0)\nf.OnChange(func(v int) {\n\tcalls++\n\ttime.Sleep(10 * time.Millisecond)\n"
        "\tif v == 10000 {\n\t\tfmt.Println(\"last of many\")\n\t}\n})\nf"
    )
    start = time.monotonic()
    for value in range(1, 10_001):
        front.move(slider, value=value)
    front.until(lambda: "last of many\n" in front.text["stdout"])
    seconds = time.monotonic() - start
    calls = int(front.run("calls")["text/plain"])
    assert calls <= seconds / 0.01 + 1, "values that come while the function runs are skipped"


def test_closed(front):
    slider = front.show("d := widget.NewIntSlider(0, 100, 7)\nd")
    front.run("d.Close()")
    assert slider not in front.states
    shown = front.run("fmt.Println(d.Set(8)); fmt.Println(d.Close()); d")
    assert "text/plain" in shown and "application/vnd.jupyter.widget-view+json" not in shown
    assert "set IntSlider: the widget is closed: make a new one\nclose IntSlider: the widget is closed" in front.text["stdout"]
    front.move(slider, value=9)  # it has crossed the message that it is closed
    assert front.run("d.Value()")["text/plain"] == "7"


@pytest.mark.parametrize(
    "data",
    [
        {"method": "update", "state": {"value": "ten"}, "buffer_paths": []},
        {"method": "update", "state": {"value": 1.5}, "buffer_paths": []},
        {"method": "update", "state": {"value": None}, "buffer_paths": []},
        {"method": "update", "state": {"value": 3}, "buffer_paths": [["a"]]},
        {"method": "nothing"},
        [],
        None,
    ],
)
def test_invalid_messages(front, data):
    slider = front.show("i := widget.NewIntSlider(0, 100, 7)\ni")
    before = len(front.text["stderr"])
    front.send(slider, data)
    if data is not None:
        front.until(lambda: "widget: " in front.text["stderr"][before:])
    front.move(slider, value=8)
    front.until(lambda: front.states[slider]["value"] == 8)
    assert front.run("i.Value()")["text/plain"] == "8"


def test_output_after_its_cell(front):
    output = front.show("o := widget.NewOutput()\ngo func() {\n\ttime.Sleep(100 * time.Millisecond)\n\to.Printf(\"late\\n\")\n}()\no")
    front.until(lambda: front.states[output]["outputs"])
    assert front.states[output]["outputs"] == [{"output_type": "stream", "name": "stdout", "text": "late\n"}]


def test_reconnected_front_end(front):
    """A front end that knows nothing asks for all states, on a comm of its own, while a cell runs."""
    slider = front.show("r := widget.NewIntSlider(0, 100, 7)\nr")
    front.run("r.Set(77)")
    front.start("for r.Value() != 1 {\n\ttime.Sleep(time.Millisecond)\n}")
    session, shell = front.client.session, front.client.shell_channel.socket
    session.send(shell, session.msg("comm_open", {"comm_id": "control", "target_name": "jupyter.widget.control", "data": {}}))
    session.send(shell, session.msg("comm_msg", {"comm_id": "control", "data": {"method": "request_states"}}))
    answer = {}

    def answered():
        nonlocal answer
        message = front.client.get_iopub_msg(timeout=60)
        if message["msg_type"] == "comm_msg" and message["content"]["comm_id"] == "control":
            answer = message["content"]["data"]
        return answer

    while not answered():
        pass
    assert answer["method"] == "update_states"
    assert answer["states"][slider]["state"]["value"] == 77
    assert answer["states"][slider]["model_name"] == "IntSliderModel"
    front.move(slider, value=1)
    front.run("0;")


def test_bad_arguments(front):
    for code, want in {
        "widget.NewIntSlider(5, 1, 3)": "its range begins at 5 and ends at 1",
        "widget.NewFloatSlider(0, 1, math.NaN())": "NaN is not a number that can be shown",
        "widget.NewDropdown([]int{})": "is not among its values",
        'widget.NewIntSlider(0, 1, 0, widget.Trait("colour", 1))': 'has no property "colour"',
        "display.Interact(3)": "int is not a function",
        "display.Interact(func(c chan int) any { return 0 })": "there is no usual control",
    }.items():
        reply = front.client.execute(code, reply=True, timeout=120)["content"]
        assert reply["status"] == "error" and want in reply["evalue"], f"{code}: {reply}"


def test_interact(front):
    box = front.show("display.Interact(func(n int, s float64) any { return fmt.Sprint(float64(n) * s) })")
    state = resolved(front.states[box], front.states.get)
    slider = front.states[box]["children"][0].removeprefix("IPY_MODEL_")
    assert [c["_model_name"] for c in state["children"]] == ["IntSliderModel", "FloatSliderModel", "VBoxModel"]
    front.move(slider, value=40)

    def result():
        output = resolved(front.states[box], front.states.get)["children"][-1]["children"][0]
        return output["outputs"][0]["data"]["text/plain"]

    front.until(lambda: result() == '"20"')


PICTURE = "p := widget.NewImage()\np.Show(image.NewGray(image.Rect(0, 0, 4, 4)))\ns := widget.NewIntSlider(0, 100, 7)\ns.Set(8)\nwidget.NewVBox(p, s)"


@pytest.fixture(params=["gopherwarp run", "nbclient"])
def saved(request, gopherwarp, tmp_path):
    """A notebook with PICTURE, run without a browser."""
    path = tmp_path / "saved.ipynb"
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(PICTURE)],
        metadata={"kernelspec": {"name": "gopherwarp", "display_name": "Go (gopherwarp)"}},
    )
    nbformat.write(notebook, path)
    if request.param == "nbclient":
        return conftest.execute(path)
    subprocess.run([gopherwarp, "run", path], check=True, timeout=120)
    return nbformat.read(path, as_version=4)


def test_saved(saved):
    """The notebook has the states, valid by nbformat, and nbconvert's HTML has them, too."""
    nbformat.validate(saved)
    view = saved.cells[0].outputs[-1].data["application/vnd.jupyter.widget-view+json"]["model_id"]
    states = saved.metadata.widgets["application/vnd.jupyter.widget-state+json"].state
    picture, slider = (states[c.removeprefix("IPY_MODEL_")] for c in states[view].state.children)
    assert slider.state.value == 8
    assert [b["path"] for b in picture.buffers] == [["value"]]
    assert base64.b64decode(picture.buffers[0]["data"]).startswith(b"\x89PNG")
    html, _ = nbconvert.HTMLExporter().from_notebook_node(saved)
    assert f'"model_id": "{view}"' in html
    begin = '<script type="application/vnd.jupyter.widget-state+json">'
    embedded = json.loads(html.split(begin)[1].split("</script>")[0])
    assert embedded["state"] == states
