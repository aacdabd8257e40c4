// Measures Go's crypto/ecdsa and crypto/rsa with the protocol of the Swift worker: answers a line NAME SECONDS with a
// line of JSON. `--version` prints Go's version.
package main

import (
	"bufio"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "go peer:", err)
		os.Exit(2)
	}
}

func ecdsaVerification(curve elliptic.Curve, digest []byte) func() bool {
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	check(err)
	signature, err := ecdsa.SignASN1(rand.Reader, key, digest)
	check(err)
	return func() bool { return ecdsa.VerifyASN1(&key.PublicKey, digest, signature) }
}

func rsaVerification(bits int, digest []byte) func() bool {
	key, err := rsa.GenerateKey(rand.Reader, bits)
	check(err)
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest)
	check(err)
	return func() bool { return rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, digest, signature) == nil }
}

// cpuTime returns the user and system time of all threads, in seconds.
func cpuTime() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)*1e-6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

func measure(isValid func() bool, seconds float64) map[string]float64 {
	operations, chunk := 0, 1
	cpuStart, wallStart := cpuTime(), time.Now()
	for {
		for i := 0; i < chunk; i++ {
			if !isValid() {
				check(fmt.Errorf("a valid signature did not verify"))
			}
		}
		operations += chunk
		cpu := cpuTime() - cpuStart
		if cpu >= seconds {
			return map[string]float64{"operations": float64(operations), "cpu": cpu, "wall": time.Since(wallStart).Seconds()}
		}
		chunk = max(1, min(operations, int(float64(operations)*(seconds-cpu)/max(cpu, 1e-6))+1))
	}
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println(runtime.Version())
		return
	}
	digest256, digest384 := sha256.Sum256([]byte("sample")), sha512.Sum384([]byte("sample"))
	operations := map[string]func() bool{
		"go/p256-verify":    ecdsaVerification(elliptic.P256(), digest256[:]),
		"go/p384-verify":    ecdsaVerification(elliptic.P384(), digest384[:]),
		"go/rsa2048-verify": rsaVerification(2048, digest256[:]),
		"go/rsa4096-verify": rsaVerification(4096, digest256[:]),
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var name string
		var seconds float64
		_, err := fmt.Sscan(lines.Text(), &name, &seconds)
		check(err)
		if operations[name] == nil {
			check(fmt.Errorf("no measurement: %s", name))
		}
		result, err := json.Marshal(measure(operations[name], seconds))
		check(err)
		fmt.Println(string(result))
	}
}
