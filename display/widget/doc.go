// Package widget has controls in a notebook that talk to Go: sliders, lists, buttons, texts, boxes, pictures.
//
//	n := widget.NewIntSlider(1, 1024, 256, widget.Description("threads"))
//	n.OnChange(func(v int) { fmt.Println("now", v) })
//	n                                                   // as the cell's last expression: shows it
//	n.Set(512)                                          // moves it
//	widget.Interact(func(n int, s float64) any { … })   // makes the controls, and shows the result whenever one is moved
//
// A control's value is typed. It can be read and set at any time, also while a cell runs. Functions that observe it run on a goroutine of
// their own for each widget, one call at a time, with the newest value: values that come meanwhile are skipped. A panic in one is printed, and
// an interrupt of the kernel stops it.
//
// The front end draws the widgets by ipywidgets' models (JupyterLab needs the package jupyterlab_widgets, which "make lab" and the wheel's
// instructions install). Elsewhere a widget is its text, and its value can still be read and set.
//
// The package has the widgets, the messages about them (version 2.1 of the protocol of Jupyter's widgets) and Interact. How messages get to
// the front end is decided by the session process. Charts and other output that does not answer are in packages display and display/plot.
package widget
