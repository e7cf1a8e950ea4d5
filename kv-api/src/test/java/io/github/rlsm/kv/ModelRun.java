// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs a history on a fresh store and on a fresh model, which must give the same results. */
final class ModelRun {

  /**
   * The failure of a run.
   *
   * @param at the operation that failed; the number of operations if the check at the end failed
   */
  record Failure(int at, Throwable cause) {}

  private final StoreFactory factory;
  private final Path directory;
  private final List<Op> operations;
  private final List<byte[]> keys;
  private final String opening;

  /**
   * Creates a run.
   *
   * @param directory the directory of the store; does not exist yet
   * @param keys all keys of the history; the run reads them at its end
   * @param opening how the factory first opens the store
   */
  ModelRun(
      StoreFactory factory,
      Path directory,
      List<Op> operations,
      List<byte[]> keys,
      String opening) {
    this.factory = factory;
    this.directory = directory;
    this.operations = operations;
    this.keys = keys;
    this.opening = opening;
  }

  /** Applies all operations and compares everything at the end. Returns null on success. */
  @Nullable
  Failure run() {
    int at = 0;
    Side store = null;
    try {
      store = Side.ofStore(factory, directory, opening);
      Side model = Side.ofModel(store);
      for (Op op : operations) {
        compare(op, store, model);
        at++;
      }
      compare(Ops.check(keys), store, model);
      store.close();
      factory.checkClosed(directory);
      return null;
    } catch (Throwable e) {
      closeAfter(e, store);
      return new Failure(at, e);
    }
  }

  private static void closeAfter(Throwable failure, @Nullable Side store) {
    try {
      if (store != null) {
        store.close();
      }
    } catch (Throwable e) {
      failure.addSuppressed(e);
    }
  }

  private static void compare(Op op, Side store, Side model) {
    Outcome actual = Outcome.of(op, store);
    Outcome expected = Outcome.of(op, model);
    if (!actual.equals(expected)) {
      throw new AssertionError(
          op + "\n  store: " + actual + "\n  model: " + expected, actual.thrown);
    }
  }

  /** The result or exception of an operation, in a form that can be compared. */
  private static final class Outcome {

    private final @Nullable Object returned;
    private final @Nullable RuntimeException thrown;

    private Outcome(@Nullable Object returned, @Nullable RuntimeException thrown) {
      this.returned = returned;
      this.thrown = thrown;
    }

    static Outcome of(Op op, Side side) {
      try {
        return new Outcome(comparable(op.on(side)), null);
      } catch (RuntimeException e) {
        return new Outcome(null, e);
      }
    }

    /** Wraps arrays in buffers, which compare by content. */
    private static @Nullable Object comparable(@Nullable Object value) {
      if (value instanceof byte[] bytes) {
        return ByteBuffer.wrap(bytes);
      } else if (value instanceof List<?> list) {
        List<@Nullable Object> items = new ArrayList<>(list.size());
        list.forEach(item -> items.add(comparable(item)));
        return items;
      }
      return value;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Outcome that
          && Objects.equals(returned, that.returned)
          && kind(thrown) == kind(that.thrown);
    }

    private static @Nullable Class<?> kind(@Nullable RuntimeException thrown) {
      return thrown == null ? null : thrown.getClass();
    }

    @Override
    public int hashCode() {
      return Objects.hash(returned, kind(thrown));
    }

    @Override
    public String toString() {
      return thrown == null ? shown(returned) : thrown.toString();
    }

    private static String shown(@Nullable Object value) {
      if (value instanceof ByteBuffer bytes) {
        return TestBytes.show(Buffers.toArray(bytes, "bytes"));
      } else if (value instanceof List<?> list) {
        return list.stream().map(Outcome::shown).toList().toString();
      }
      return String.valueOf(value);
    }
  }
}
