// Package tutor asks one question at a time, for as long as it takes to master the concepts of the course. It works without a network, and
// what it asks follows from a seed, the answers and the days on which they were given.
//
// The questions are in a bank: concepts with what has to be known before them, misconceptions, and items, one directory for each (see
// Load). A Tutor applies commands such as "next" and "answer" to the state of a learner and returns pages, which are shown as text or HTML.
// Where a state is kept is decided by a Store; package tutor/store has one in a file. Programs and kernels are run by a Runner; package
// tutor/bench has one that uses a kernel process of its own.
//
// The difficulty of items follows the learner by Elo's rule, so that three of four answers are right; mastery of a concept is estimated by
// Bayesian knowledge tracing (model.go); what is asked next is decided in choose.go. Lint checks a bank without running anything, Prove
// runs the code of its items.
package tutor
