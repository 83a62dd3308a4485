# Settings of nbgrader for all users of the hub, which sets the variables.
import os
import pathlib

c = get_config()  # noqa: F821
# What a Go notebook needs: notebooks/nbgrader/nbgrader_config.py of the sources, which install.sh puts here.
load_subconfig(str(pathlib.Path(__file__).with_name("course_config.py")))  # noqa: F821
c.CourseDirectory.course_id = os.environ["GOPHERWARP_COURSE"]
c.Exchange.root = os.environ["GOPHERWARP_EXCHANGE"]
if os.environ.get("GOPHERWARP_GRADING"):
    # The formgrader wants its directory below that of the server, so it is named by the link there.
    c.CourseDirectory.root = str(pathlib.Path.home() / "grading")
    c.CourseDirectory.groupshared = True
