// Package images works on pictures that are arrays: (height, width) for one channel, or (height, width, channels) with
// the channels red, green, blue and perhaps opacity. Elements are uint8, from 0 to 255, or float32.
//
//	photo, err := images.ReadPNG("photo.png")
//	gray := images.Grayscale(photo)
//	edges := images.Edges(images.GaussianBlur(gray, 1.5))
//	images.ToImage(edges) // shows it as the last line of a cell
//
// Filters compute in float32 and round once, for uint8 to the nearest number from 0 to 255. Beyond the borders they see
// the picture mirrored, or what a Border says. Names and borders are those of SciPy's ndimage, which CuPy has too.
// What cannot be panics with an *nd.Error, as in package nd.
package images
