// Package course builds the lessons and tests them. A lesson has one source, a directory with lesson.md and its pictures,
// from which three notebooks are built: the learner's, the solution, and the source of nbgrader's assignment.
//
// A source is Markdown. It begins with fields between two lines of ---: title, module, time, needs, covers (items of
// inventory.txt), vary and, if its cells read any, files. Each heading begins a cell. A fence is a cell if its info string names it:
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
//	on a GPU: an illegal address (if the message is or may be another there; "nothing" if it is not refused)
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
// Hints for an exercise are shown one at a time, by %hint. A question becomes a cell of text and a cell with %answer; it has options
// ("-" and the reason why it is wrong, "+" for the right one), a number ("= 24 ± 0", and known mistakes with "-"), or steps in their order
// ("1."). With "predict" it is judged at the end of the lesson only:
//
//	```hint #square
//	Threads without an element must not write.
//	```
//	```question #blocks predict
//	How many blocks of 256 threads cover 1000 elements?
//	- 3 => Three blocks have 768 threads.
//	+ 4
//	```
//
// "answer #why points=3" is an answer in words, which a person grades; its text is a model.
//
// The field "vary: NAME = value value" gives {{NAME}} a value that follows from a student's seed. [**coalesced**](glossary) links a term
// to the glossary.
//
// Lint checks a source without running it. Check runs it: the solution passes, the exercises as they are handed out compile
// and get no points, nor do those that do not compile, each wrong answer is refused for its reason, each right one passes, and wrong
// answers to questions are explained. Cells are run by packages nbformat and kernel; the checks of a lesson call package verify.
//
// A Guide answers %hint, %answer and %progress, and records in package progress which checks have passed: it knows a lesson by the texts
// of its cells. GradeHandIn runs a hand-in with the lesson's own checks.
package course
