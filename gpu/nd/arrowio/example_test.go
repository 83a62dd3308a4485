package arrowio_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/arrowio"
)

// A table of two columns, of which each row of the second is a matrix.
func ExampleSave() {
	dir, err := os.MkdirTemp("", "arrowio")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "shots.arrow")
	time := nd.Linspace(0.0, 1, 3)
	shots := nd.Arange[uint8](12).Reshape(3, 2, 2)
	if err := arrowio.Save(path, arrowio.Column{Name: "time", Data: time}, arrowio.Column{Name: "shot", Data: shots}); err != nil {
		log.Fatal(err)
	}
	table, err := arrowio.Load(path, arrowio.Only("shot"))
	if err != nil {
		log.Fatal(err)
	}
	shot, err := arrowio.Get[uint8](table, "shot")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shot.Shape(), shot.Slice(nd.At(2)).ToHost())
	// Output: [3 2 2] [8 9 10 11]
}
