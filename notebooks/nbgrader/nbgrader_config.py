# Settings for nbgrader, in whose folder source/ lies: nbgrader generate_assignment LESSON
import os
import secrets

c = get_config()  # noqa: F821
# Checks draw other inputs at each grading.
os.environ.setdefault("GOPHERWARP_CHECK_SEED", secrets.token_hex(8))
# What is graded is no progress of the one who grades.
os.environ["GOPHERWARP_PROGRESS"] = "off"
os.environ["GOPHERWARP_TUTOR"] = "off"
c.CourseDirectory.course_id = "gopherwarp"
# One stub for Go and for CUDA C++, as a notebook has one language.
c.ClearSolutions.code_stub = {
    "go": "// YOUR CODE HERE",
    "python": "# YOUR CODE HERE\nraise NotImplementedError()",
}
# The first cell may have to wait for the session program to be built.
c.ExecutePreprocessor.timeout = 300
c.Execute.timeout = 300
# A cell that does not end is interrupted, and the ones behind it are graded.
c.ExecutePreprocessor.interrupt_on_timeout = True
c.Execute.interrupt_on_timeout = True
# Threads of a kernel that runs as plain Go may need some seconds to end, on a busy machine.
c.ExecutePreprocessor.iopub_timeout = 60
c.Execute.iopub_timeout = 60
