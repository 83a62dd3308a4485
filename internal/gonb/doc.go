// Package gonb lets programs that were written for GoNB's package gonbui show HTML, images
// and Markdown in a notebook, and ask for input: it is the kernel's end of the two named
// pipes that such programs find by their environment.
//
// What lives here are the pipes and what goes through them. Whose output is shown where, and
// GoNB's other habits, are known to package magics.
package gonb
