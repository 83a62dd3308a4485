// Package images processes pictures as arrays: (height, width) for one channel, or (height, width, channels) with the channels red,
// green, blue and optionally alpha. Elements are uint8, from 0 to 255, or float32.
//
//	photo, err := images.ReadPNG("photo.png")
//	gray := images.Grayscale(photo)
//	edges := images.Edges(images.GaussianBlur(gray, 1.5))
//	images.ToImage(edges) // shows it as the last line of a cell
//
// Filters compute in float32 and round once, for uint8 to the nearest number from 0 to 255. Outside the picture they use its reflection,
// or the values that a Border selects. Names and borders are those of SciPy's ndimage, which CuPy has too. An invalid request panics with
// an *nd.Error, as in package nd.
package images
