// Package plot draws numbers: lines, areas, points, bars, histograms, boxes, heat maps, contours, surfaces and pictures with axes. A chart that is the last expression of a cell is shown as a drawing
// that answers the pointer (page.js), and in a terminal as text with the same numbers.
//
//	plot.Lines("Sum of n numbers", plot.Axis{Label: "n", Log: true}, plot.Axis{Label: "ms", Log: true},
//		plot.Line("Go", sizes, goTimes), plot.Line("kernel", sizes, kernelTimes))
//	plot.Bars("Copies", "GB/s", []string{"pageable", "pinned"}, []float64{11.2, 55.1})
//	plot.Histogram("Estimates", plot.Axis{Label: "π"}, estimates, 20)
//	plot.Heat("Temperature", plot.Axis{}, plot.Axis{}, rows)
//
// It has no dependencies, so that cells with charts work without a network and link as quickly as others. Gonum shows plots of
// gonum.org/v1/plot.
//
// Numbers that cannot be drawn (NaN, beyond ±1e300, or not above 0 on a logarithmic axis) are left out, and the chart has a note with
// their number. Inconsistent arguments panic with an *Error.
//
// The package has the layout (frame.go), axes and their ticks (scale.go), SVG (canvas.go), the page (page.go), files for the kinds of charts, and the charts'
// text (text.go).
package plot
