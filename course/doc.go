// Package course builds the lessons and proves that they work. A lesson has one source, a directory with
// lesson.md and the pictures it shows, from which three notebooks are built: the learner's, the
// solution, and the one that nbgrader makes assignments of.
//
// A source is Markdown. Between two lines of --- it begins with title, module, time, needs, covers (items of
// inventory.txt) and, if its cells read any, files. Each heading begins a cell. A fence is a cell if its info string names it:
//
//	```cuda #square exercise
//	```go #check-square check for=square points=2
//	```go #broken raises
//
// In a cell, lines between "BEGIN SOLUTION" and "END SOLUTION" are replaced by a stub in the learner's
// notebook, and those between "BEGIN HIDDEN TESTS" and "END HIDDEN TESTS" left out. The first line of
// a %%cuda cell stands in the source as in the notebook. Behind an exercise follow the wrong answers to it, as changes
// of the solution, each with a part of the message that must refuse it:
//
//	```wrong #square: no bounds check
//	refused: written past the end
//	on a GPU: an illegal address (if the message is another there; "nothing" if it is not refused)
//	-     if (i < n) {
//	+     {
//	```
//
// and right ones that are other than the solution and must pass. Lines with + alone stand in the place of the whole solution:
//
//	```right #square: several elements a thread
//	on a GPU: right, but too slow (if a check without points may refuse it there)
//	+ for (int i = ...
//	```
//
// Lint looks at a source, Check runs it: the solution passes, the exercises as they are handed out compile and
// get no points, nor do those that do not compile, each wrong answer is refused for its reason, and each right one passes. Running cells is package nbformat's and kernel's;
// what the checks of a lesson find out is package verify's.
package course
