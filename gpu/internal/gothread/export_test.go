package gothread

// Labels is for tests.
var Labels = getLabels
