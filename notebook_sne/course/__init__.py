"""The course: tasks with checks, a reading exam, and lectures as pages.

`task` gives a student the data of a task, and checks what the student made of them. `exam` asks what may be concluded
from maps of made data, in parallel forms; `grade` counts the points of a class. Both depend on the student's number.

A check looks at shape, sums, symmetry, gradients and values, in this order. It says the first thing that is wrong, and
never the answer:

>>> import notebook_sne as ns
>>> task = ns.course.task(6, "short", number=4711)
>>> task.check(dimension=2.5)
Not yet, 0 of 2 points: dimension must be a whole number, got 2.5

`checks_of_tasks` has what checks look at, `tasks` the tasks by lecture, `made_maps` the maps of the exam and
`statements` what is said of their data.

Lectures as pages are notebooks that are run once, with all that they show, as files that open without Python. `kept`
runs inside the kernel of a lecture and keeps what its widgets and figures need in a page. `running` runs a notebook so.
`prose` turns Markdown and its equations into HTML, `outputs` what cells show, `heads` reads how a lecture begins and
`order` in which order lectures are read; `pages` joins all to one file a lecture, and an index.
"""

from typing import TYPE_CHECKING

from notebook_sne.engine.machine.lazy import lazily

if TYPE_CHECKING:
    from notebook_sne.course.examining import Exam as Exam
    from notebook_sne.course.examining import exam as exam
    from notebook_sne.course.grading import Grades as Grades
    from notebook_sne.course.grading import grade as grade
    from notebook_sne.course.posing import Task as Task
    from notebook_sne.course.posing import task as task
    from notebook_sne.course.verdicts import Verdict as Verdict

_HOME = {"task": "posing", "Task": "posing", "exam": "examining", "Exam": "examining", "Verdict": "verdicts"}
_HOME |= {"grade": "grading", "Grades": "grading"}
__all__ = ["task", "Task", "exam", "Exam", "grade", "Grades", "Verdict"]

__getattr__ = lazily(__name__, globals(), _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
