// Checks that witnesses have signed the log of heads of a bundle, with other people's code: golang.org/x/mod/sumdb/note and
// filippo.io/torchwood, which witnesses of transparency logs use. Needs Go and the network for the modules.
//
//	go run . FOLDER WITNESS-KEY...
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
)

// cosigner verifies C2SP tlog-cosignature v1: a time before the signature, and both signed with the checkpoint.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return c.hash }
func (c cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	signed := fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(sig), msg)
	return ed25519.Verify(c.key, signed, sig[8:])
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Println("BROKEN:", err)
		os.Exit(1)
	}
	return value
}

func cosignerOf(vkey string) cosigner {
	name, rest, _ := strings.Cut(vkey, "+")
	_, encoded, _ := strings.Cut(rest, "+")
	key := must(base64.StdEncoding.DecodeString(encoded))
	if len(key) != 33 || key[0] != 4 {
		must(0, fmt.Errorf("%s is not the key of a witness", vkey))
	}
	sum := sha256.Sum256(bytes.Join([][]byte{[]byte(name), key}, []byte("\n")))
	return cosigner{name, binary.BigEndian.Uint32(sum[:]), ed25519.PublicKey(key[1:])}
}

func main() {
	if len(os.Args) < 3 {
		fmt.Println("Usage: go run . FOLDER WITNESS-KEY...")
		os.Exit(2)
	}
	proof := must(os.ReadFile(filepath.Join(os.Args[1], "log", "head.tlog-proof")))
	_, checkpoint, _ := bytes.Cut(proof, []byte("\n\n"))
	for _, vkey := range os.Args[2:] {
		witness := cosignerOf(vkey)
		signed := must(note.Open(checkpoint, note.VerifierList(witness)))
		heads := must(torchwood.ParseCheckpoint(signed.Text))
		at := must(torchwood.CosignatureTimestamp(signed.Sigs[0]))
		fmt.Println("Witnessed by", witness.name, "on", time.Unix(at, 0).UTC().Format(time.DateOnly)+":", heads.N, "heads of", heads.Origin)
	}
}
