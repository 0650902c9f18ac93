// Checks the folder log/ of a record with other people's code: golang.org/x/mod/sumdb/note and tlog, which check Go's
// own checksum database. On Debian: apt install golang-go golang-golang-x-mod-dev
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run verify.go FOLDER
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type tiles struct{ folder string }

func (tiles) Height() int                     { return 8 }
func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (t tiles) ReadTiles(wanted []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range wanted {
		// x/mod writes the height into the path, C2SP does not
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		content, err := os.ReadFile(filepath.Join(t.folder, "log", path))
		if err != nil {
			return nil, err
		}
		data = append(data, content)
	}
	return data, nil
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Println("BROKEN:", err)
		os.Exit(1)
	}
	return value
}

func head(file string, keys note.Verifiers) (origin string, tree tlog.Tree) {
	return read(must(note.Open(must(os.ReadFile(file)), keys)))
}

func read(signed *note.Note) (origin string, tree tlog.Tree) {
	lines := strings.Split(signed.Text, "\n")
	tree.N = must(strconv.ParseInt(lines[1], 10, 64))
	copy(tree.Hash[:], must(base64.StdEncoding.DecodeString(lines[2])))
	return lines[0], tree
}

// logged proves by log/head.tlog-proof (C2SP tlog-proof) that the head is an entry of the server's log of heads.
func logged(folder string, keys note.Verifiers) {
	checkpoint := must(os.ReadFile(filepath.Join(folder, "log", "checkpoint")))
	text, signed, _ := strings.Cut(string(must(os.ReadFile(filepath.Join(folder, "log", "head.tlog-proof")))), "\n\n")
	lines := strings.Split(text, "\n")
	if lines[0] != "c2sp.org/tlog-proof@v1" || len(lines) < 2 || !strings.HasPrefix(lines[1], "index ") {
		must(0, fmt.Errorf("log/head.tlog-proof is not a proof"))
	}
	index := must(strconv.ParseInt(strings.TrimPrefix(lines[1], "index "), 10, 64))
	var proof tlog.RecordProof
	for _, line := range lines[2:] {
		var hash tlog.Hash
		copy(hash[:], must(base64.StdEncoding.DecodeString(line)))
		proof = append(proof, hash)
	}
	origin, heads := read(must(note.Open([]byte(signed), keys)))
	if !strings.HasSuffix(origin, "/heads") {
		must(0, fmt.Errorf("%s is not a log of heads", origin))
	}
	entry := sha256.Sum256(checkpoint)
	must(0, tlog.CheckRecord(proof, heads.N, heads.Hash, index, tlog.RecordHash(entry[:])))
}

func main() {
	folder := os.Args[1]
	var verifiers []note.Verifier
	for _, key := range strings.Fields(string(must(os.ReadFile(filepath.Join(folder, "key.txt"))))) {
		verifiers = append(verifiers, must(note.NewVerifier(key)))
	}
	keys := note.VerifierList(verifiers...)
	origin, tree := head(filepath.Join(folder, "log", "checkpoint"), keys)
	reader := tlog.TileHashReader(tree, tiles{folder})

	var indexes []int64
	var leaves []tlog.Hash
	for n := int64(0); n < tree.N; n += 256 {
		tile := tlog.Tile{H: 8, L: 0, N: n >> 8, W: int(min(256, tree.N-n))}
		path := strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1)
		entries := must(os.ReadFile(filepath.Join(folder, "log", path)))
		if len(entries) != tile.W*34 {
			must(0, fmt.Errorf("%s has %d bytes", path, len(entries)))
		}
		for at := 0; at < tile.W; at++ {
			if !bytes.Equal(entries[at*34:at*34+2], []byte{0, 32}) {
				must(0, fmt.Errorf("%s: entry %d is not of 32 bytes", path, at))
			}
			indexes = append(indexes, tlog.StoredHashIndex(0, n+int64(at)))
			leaves = append(leaves, tlog.RecordHash(entries[at*34+2:at*34+34]))
		}
	}
	for at, hash := range must(reader.ReadHashes(indexes)) {
		if hash != leaves[at] {
			must(0, fmt.Errorf("entry %d is not in the tree", at+1))
		}
	}
	for _, n := range []int64{0, tree.N / 2, tree.N - 1} {
		proof := must(tlog.ProveRecord(tree.N, n, reader))
		must(0, tlog.CheckRecord(proof, tree.N, tree.Hash, n, leaves[n]))
	}
	for _, file := range must(filepath.Glob(filepath.Join(folder, "log", "heads", "*"))) {
		_, old := head(file, keys)
		proof := must(tlog.ProveTree(tree.N, old.N, reader))
		must(0, tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash))
	}
	// logs of version 1 have no log of heads
	if _, err := os.Stat(filepath.Join(folder, "log", "head.tlog-proof")); err == nil {
		logged(folder, keys)
	}
	fmt.Println("INTACT:", tree.N, "entries of", origin)
}

func min(one, other int64) int64 {
	if one < other {
		return one
	}
	return other
}
