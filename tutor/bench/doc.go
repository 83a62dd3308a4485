// Package bench runs the code of package tutor's items in a kernel process of its own, so that an answer that does not end, or that ends its
// process, does no harm to the session of the learner. The process is started when it is first needed, and again after it was killed.
package bench
