"""The notebooks run by nbclient, as nbgrader, papermill and jupyter execute run them."""

import conftest
import nbclient.exceptions
import pytest


def test_lesson_passes(executed_lesson):
    code = [c for c in executed_lesson.cells if c.cell_type == "code"]
    assert code, "the lesson has no code cells"
    assert all(c.execution_count for c in code if c.source.strip())
    assert not [o for c in code for o in c.outputs if o.output_type == "error"]


def test_failing_check_raises(failing):
    with pytest.raises(nbclient.exceptions.CellExecutionError, match=conftest.FAILING_TEXT):
        conftest.execute(failing)
