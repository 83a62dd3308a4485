// Package gonb displays the output of programs that were written for GoNB's package gonbui,
// such as HTML, images and Markdown, and handles their requests for input: it implements
// the kernel's end of the two named pipes that such programs find by their environment.
//
// It has the pipes and their messages. Which cell gets the output, and other conventions
// of GoNB, are in package magics.
package gonb
