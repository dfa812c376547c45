// SPDX-License-Identifier: GPL-3.0-or-later

// Package interop runs the official Go client against the broker's own binary (JETGLASS_SERVER).
package interop

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const patience = 20 * time.Second

var listens = regexp.MustCompile(`Listening for client connections on .*:(\d+)`)

type broker struct {
	t       *testing.T
	store   string
	port    string
	flags   []string
	process *exec.Cmd
	drained chan struct{}
}

// startBroker gives a test a broker of its own, which ends with it.
func startBroker(t *testing.T, flags ...string) *broker {
	t.Helper()
	b := &broker{t: t, store: t.TempDir(), port: "-1", flags: flags}
	b.run()
	t.Cleanup(func() { b.end(syscall.SIGTERM) })
	return b
}

func (b *broker) run() {
	b.t.Helper()
	binary := os.Getenv("JETGLASS_SERVER")
	if binary == "" {
		b.t.Fatal("JETGLASS_SERVER must name the broker binary")
	}
	b.process = exec.Command(binary, append([]string{"-js", "-a", "127.0.0.1", "-p", b.port, "-sd", b.store},
		b.flags...)...)
	log, err := b.process.StderrPipe()
	must(b.t, err)
	must(b.t, b.process.Start())
	ready := make(chan string, 1)
	b.drained = make(chan struct{})
	go readLog(log, ready, b.drained)
	select {
	case b.port = <-ready:
	case <-time.After(patience):
		b.port = ""
	}
	if b.port == "" {
		_ = b.process.Process.Kill()
		b.t.Fatal("the broker did not come up")
	}
}

// readLog says the port once the server is ready, "" when it ends before, and reads on: a full pipe would block it.
func readLog(log io.Reader, ready chan<- string, drained chan<- struct{}) {
	port, said := "", false
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if found := listens.FindStringSubmatch(lines.Text()); found != nil {
			port = found[1]
		}
		if !said && strings.Contains(lines.Text(), "Server is ready") {
			said = true
			ready <- port
		}
	}
	if !said {
		ready <- ""
	}
	close(drained)
}

func (b *broker) end(signal os.Signal) {
	_ = b.process.Process.Signal(signal)
	<-b.drained
	_ = b.process.Wait()
}

// restart ends the process the hard way and starts it again on the same port and store.
func (b *broker) restart() {
	b.t.Helper()
	b.end(syscall.SIGKILL)
	b.run()
}

func (b *broker) connect(options ...nats.Option) *nats.Conn {
	b.t.Helper()
	nc, err := nats.Connect("nats://127.0.0.1:"+b.port, options...)
	must(b.t, err)
	b.t.Cleanup(nc.Close)
	return nc
}

func (b *broker) jetstream() (context.Context, jetstream.JetStream) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	b.t.Cleanup(cancel)
	js, err := jetstream.New(b.connect())
	must(b.t, err)
	return ctx, js
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// made is must for calls that return something.
func made[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

// refused wants an API error with that code.
func refused(t *testing.T, err error, code jetstream.ErrorCode) {
	t.Helper()
	var answer *jetstream.APIError
	if !errors.As(err, &answer) || answer.ErrorCode != code {
		t.Fatalf("got %v, want error code %d", err, code)
	}
}

func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case value, open := <-from:
		if !open {
			t.Fatal("closed")
		}
		return value
	case <-time.After(patience):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}
