// Package course builds the lessons and tests them. A lesson has one source, a directory with lesson.md and its pictures,
// from which three notebooks are built: the learner's, the solution, and the source of nbgrader's assignment.
//
// A source is Markdown. It begins with fields between two lines of ---: title, module, time, needs, covers (items of
// inventory.txt) and, if its cells read any, files. Each heading begins a cell. A fence is a cell if its info string names it:
//
//	```cuda #square exercise
//	```go #check-square check for=square points=2
//	```go #broken raises
//
// In a cell, lines between "BEGIN SOLUTION" and "END SOLUTION" are replaced by a stub in the learner's notebook, and those
// between "BEGIN HIDDEN TESTS" and "END HIDDEN TESTS" are removed. The first line of a %%cuda cell is in the source as in
// the notebook. After an exercise follow wrong answers to it, as changes to the solution, each with a part of the message
// that must refuse it:
//
//	```wrong #square: no bounds check
//	refused: written past the end
//	on a GPU: an illegal address (if the message is another there; "nothing" if it is not refused)
//	-     if (i < n) {
//	+     {
//	```
//
// and right ones that differ from the solution and must pass. Lines with + alone replace the whole solution:
//
//	```right #square: several elements a thread
//	on a GPU: right, but too slow (if a check without points may refuse it there)
//	+ for (int i = ...
//	```
//
// Lint checks a source without running it. Check runs it: the solution passes, the exercises as they are handed out compile
// and get no points, nor do those that do not compile, each wrong answer is refused for its reason, and each right one
// passes. Cells are run by packages nbformat and kernel; the checks of a lesson call package verify.
package course
