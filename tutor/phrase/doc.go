// Package phrase asks a language model at an endpoint with OpenAI's protocol to put an explanation of package tutor into other words. It
// sends the question with its explanation and the learner's answer, and nothing else. Grades are package tutor's alone.
package phrase
