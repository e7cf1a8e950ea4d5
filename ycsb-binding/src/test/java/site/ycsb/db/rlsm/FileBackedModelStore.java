// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ModelStore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The in-memory model store with persistence: a close saves it to a file, so it works across
 * processes. Tests may inject a fault between the store and the client.
 */
final class FileBackedModelStore extends ModelStore {

  private static final String FILE = "model";

  private final Path file;
  private final Fault fault;

  /** A fault between a client and its keyspace. Called with each method and its result. */
  interface Fault {

    Fault NONE = (method, result) -> result;

    /** Replaces the result of the method, or throws. */
    Object afterCall(String method, Object result);
  }

  private FileBackedModelStore(Path file, Fault fault) {
    this.file = file;
    this.fault = fault;
  }

  static FileBackedModelStore open(Path directory, Fault fault) {
    try {
      Files.createDirectories(directory);
      FileBackedModelStore store = new FileBackedModelStore(directory.resolve(FILE), fault);
      store.load();
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized Keyspace keyspace(String name) {
    Keyspace keyspace = super.keyspace(name);
    InvocationHandler handler = (proxy, method, arguments) -> {
      try {
        return fault.afterCall(method.getName(), method.invoke(keyspace, arguments));
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    };
    return (Keyspace) Proxy.newProxyInstance(
        Keyspace.class.getClassLoader(), new Class<?>[] {Keyspace.class}, handler);
  }

  @Override
  public synchronized void close() {
    if (isClosed()) {
      return;
    }
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      for (String name : keyspaceNames()) {
        try (KvIterator entries = super.keyspace(name).scan()) {
          while (entries.next()) {
            out.writeUTF(name);
            write(out, entries.key());
            write(out, entries.value());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    super.close();
  }

  private void load() throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      while (in.available() > 0) {
        super.keyspace(in.readUTF()).put(read(in), read(in));
      }
    }
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] read(DataInputStream in) throws IOException {
    return in.readNBytes(in.readInt());
  }
}
