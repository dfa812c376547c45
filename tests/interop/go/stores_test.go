// SPDX-License-Identifier: GPL-3.0-or-later
package interop

// Key-value and object stores.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

func TestKeyValue(t *testing.T) {
	ctx, js := startBroker(t).jetstream()
	kv := made[jetstream.KeyValue](t)(js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "settings", History: 5,
		Metadata: map[string]string{"owner": "team"}}))
	equal(t, "put", made[uint64](t)(kv.PutString(ctx, "theme", "light")), 1)
	equal(t, "update", made[uint64](t)(kv.Update(ctx, "theme", []byte("dark"), 1)), 2)
	_, err := kv.Update(ctx, "theme", []byte("late"), 1)
	refused(t, err, 10071)
	_, err = kv.Create(ctx, "theme", nil)
	equal(t, "exists", errors.Is(err, jetstream.ErrKeyExists), true)
	equal(t, "get", string(made[jetstream.KeyValueEntry](t)(kv.Get(ctx, "theme")).Value()), "dark")
	equal(t, "revision", string(made[jetstream.KeyValueEntry](t)(kv.GetRevision(ctx, "theme", 1)).Value()), "light")
	made[uint64](t)(kv.PutString(ctx, "size.a", "1"))
	keys := made[[]string](t)(kv.Keys(ctx))
	sort.Strings(keys)
	equal(t, "keys", strings.Join(keys, " "), "size.a theme")
	must(t, kv.Delete(ctx, "theme"))
	_, err = kv.Get(ctx, "theme")
	equal(t, "deleted", errors.Is(err, jetstream.ErrKeyNotFound), true)
	equal(t, "created again", made[uint64](t)(kv.Create(ctx, "theme", []byte("new"))), 5)
	var history []string
	for _, entry := range made[[]jetstream.KeyValueEntry](t)(kv.History(ctx, "theme")) {
		history = append(history, fmt.Sprint(entry.Revision(), entry.Operation()))
	}
	equal(t, "history", strings.Join(history, " "),
		"1 KeyValuePutOp 2 KeyValuePutOp 4 KeyValueDeleteOp 5 KeyValuePutOp")
	must(t, kv.Purge(ctx, "theme"))
	must(t, kv.PurgeDeletes(ctx, jetstream.DeleteMarkersOlderThan(-1)))
	status := made[jetstream.KeyValueStatus](t)(kv.Status(ctx))
	equal(t, "status", fmt.Sprint(status.Values(), status.History(), status.BackingStore()), "1 5JetStream")
	must(t, js.DeleteKeyValue(ctx, "settings"))
	_, err = js.KeyValue(ctx, "settings")
	equal(t, "gone", errors.Is(err, jetstream.ErrBucketNotFound), true)
}

func TestKeyValueWatch(t *testing.T) {
	ctx, js := startBroker(t).jetstream()
	kv := made[jetstream.KeyValue](t)(js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "watched", History: 3}))
	for _, value := range []string{"1", "2"} {
		made[uint64](t)(kv.PutString(ctx, "a.x", value))
	}
	for name, c := range map[string]struct {
		options []jetstream.WatchOpt
		want    string
	}{
		"the latest": {nil, "2 |"},
		"history":    {[]jetstream.WatchOpt{jetstream.IncludeHistory()}, "1 2 |"},
		"keys only":  {[]jetstream.WatchOpt{jetstream.MetaOnly()}, " |"},
		"updates":    {[]jetstream.WatchOpt{jetstream.UpdatesOnly()}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			watcher := made[jetstream.KeyWatcher](t)(kv.Watch(ctx, "a.*", c.options...))
			got := ""
			for c.want != "" && !strings.HasSuffix(got, "|") {
				if entry := receive(t, watcher.Updates()); entry != nil {
					got += string(entry.Value()) + " "
				} else {
					got += "|"
				}
			}
			equal(t, "before", got, c.want)
			made[uint64](t)(kv.PutString(ctx, "b.x", "not watched"))
			made[uint64](t)(kv.PutString(ctx, "a."+name[:1], "live"))
			must(t, kv.Delete(ctx, "a."+name[:1]))
			equal(t, "live", receive(t, watcher.Updates()).Operation(), jetstream.KeyValuePut)
			equal(t, "live", receive(t, watcher.Updates()).Operation(), jetstream.KeyValueDelete)
			must(t, watcher.Stop())
			must(t, kv.Purge(ctx, "a."+name[:1]))
			must(t, kv.PurgeDeletes(ctx, jetstream.DeleteMarkersOlderThan(-1)))
		})
	}
}

func TestKeyValueTimeToLive(t *testing.T) {
	ctx, js := startBroker(t).jetstream()
	kv := made[jetstream.KeyValue](t)(js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "locks",
		LimitMarkerTTL: time.Second}))
	watcher := made[jetstream.KeyWatcher](t)(kv.WatchAll(ctx, jetstream.IncludeHistory()))
	equal(t, "empty", receive(t, watcher.Updates()) == nil, true)
	made[uint64](t)(kv.Create(ctx, "lock", []byte("mine"), jetstream.KeyTTL(time.Second)))
	equal(t, "put", string(receive(t, watcher.Updates()).Value()), "mine")
	equal(t, "expired", receive(t, watcher.Updates()).Operation(), jetstream.KeyValuePurge)
	_, err := kv.Get(ctx, "lock")
	equal(t, "gone", errors.Is(err, jetstream.ErrKeyNotFound), true)
	made[uint64](t)(kv.Create(ctx, "lock", []byte("theirs")))
	equal(t, "put", string(receive(t, watcher.Updates()).Value()), "theirs")
}

func TestKeyValueGatheredFromOthers(t *testing.T) {
	ctx, js := startBroker(t).jetstream()
	all := jetstream.KeyValueConfig{Bucket: "all"}
	var parts []jetstream.KeyValue
	for _, name := range []string{"one", "two"} {
		parts = append(parts, made[jetstream.KeyValue](t)(js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name})))
		all.Sources = append(all.Sources, &jetstream.StreamSource{Name: name})
	}
	gathered := made[jetstream.KeyValue](t)(js.CreateKeyValue(ctx, all))
	watcher := made[jetstream.KeyWatcher](t)(gathered.WatchAll(ctx))
	equal(t, "empty", receive(t, watcher.Updates()) == nil, true)
	for i, part := range parts {
		made[uint64](t)(part.PutString(ctx, fmt.Sprint("key", i), "value"))
		entry := receive(t, watcher.Updates())
		equal(t, "gathered", fmt.Sprint(entry.Bucket(), entry.Key(), string(entry.Value())), fmt.Sprint("all", "key", i, "value"))
	}
}

func TestObjectStore(t *testing.T) {
	ctx, js := startBroker(t).jetstream()
	store := made[jetstream.ObjectStore](t)(js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: "files"}))
	data := bytes.Repeat([]byte("0123456789abcdef"), 40000)
	info := made[*jetstream.ObjectInfo](t)(store.Put(ctx, jetstream.ObjectMeta{Name: "大文件.bin", Description: "chunks",
		Headers: map[string][]string{"Type": {"raw"}}, Opts: &jetstream.ObjectMetaOptions{ChunkSize: 64 * 1024}},
		bytes.NewReader(data)))
	equal(t, "stored", fmt.Sprint(info.Size, info.Chunks), "640000 10")
	result := made[jetstream.ObjectResult](t)(store.Get(ctx, "大文件.bin"))
	equal(t, "read", bytes.Equal(made[[]byte](t)(io.ReadAll(result)), data), true)
	must(t, result.Error())
	got := made[*jetstream.ObjectInfo](t)(store.GetInfo(ctx, "大文件.bin"))
	equal(t, "info", got.Digest+got.Headers.Get("Type")+got.Description, info.Digest+"rawchunks")

	link := made[*jetstream.ObjectInfo](t)(store.AddLink(ctx, "shortcut", got))
	equal(t, "link", link.Opts.Link.Name, "大文件.bin")
	equal(t, "through the link", len(made[[]byte](t)(store.GetBytes(ctx, "shortcut"))), len(data))
	made[*jetstream.ObjectInfo](t)(store.PutString(ctx, "大文件.bin", "smaller"))
	equal(t, "replaced", made[string](t)(store.GetString(ctx, "大文件.bin")), "smaller")
	must(t, store.UpdateMeta(ctx, "大文件.bin", jetstream.ObjectMeta{Name: "renamed"}))
	equal(t, "renamed", made[string](t)(store.GetString(ctx, "renamed")), "smaller")

	watcher := made[jetstream.ObjectWatcher](t)(store.Watch(ctx, jetstream.UpdatesOnly()))
	must(t, store.Delete(ctx, "shortcut"))
	equal(t, "told", receive(t, watcher.Updates()).Deleted, true)
	must(t, watcher.Stop())
	_, err := store.GetInfo(ctx, "shortcut")
	equal(t, "deleted", errors.Is(err, jetstream.ErrObjectNotFound), true)
	listed := made[[]*jetstream.ObjectInfo](t)(store.List(ctx))
	equal(t, "listed", fmt.Sprint(len(listed), listed[0].Name), "1renamed")
	must(t, store.Seal(ctx))
	status := made[jetstream.ObjectStoreStatus](t)(store.Status(ctx))
	equal(t, "sealed", status.Sealed(), true)
	_, err = store.PutString(ctx, "late", "x")
	refused(t, err, 10109)
}
