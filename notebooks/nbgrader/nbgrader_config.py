# Settings for nbgrader, in whose folder source/ lies: nbgrader generate_assignment LESSON
c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "gopherwarp"
# One stub for Go and for CUDA C++, as a notebook has one language.
c.ClearSolutions.code_stub = {
    "go": "// YOUR CODE HERE",
    "python": "# YOUR CODE HERE\nraise NotImplementedError()",
}
# The first cell may have to wait for the session program to be built.
c.ExecutePreprocessor.timeout = 300
c.Execute.timeout = 300
