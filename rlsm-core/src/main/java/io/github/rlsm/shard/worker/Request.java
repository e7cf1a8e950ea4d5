// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work for one shard. The thread that created it waits in {@link #await()}. The request
 * refers to the caller's arrays, which must not change while the caller waits.
 *
 * <p>Threads: created and awaited by a caller. The worker calls {@link #run} or {@link #fail}. If
 * the worker is gone, the thread that finds the request calls {@link #fail}. The request ends
 * exactly once.
 */
public abstract class Request {

  /** Decides whether two adjacent requests may be served as one. */
  enum Kind {
    READ,
    WRITE,
    ALONE
  }

  /** The effect on the store. Decides whether the request is still allowed after a failure. */
  public enum Access {
    READS,
    WRITES,
    CLOSES
  }

  private final Countdown done = new Countdown(1);

  /** Written before {@link #done}, read after it. */
  private @Nullable Throwable failure;

  /**
   * Notified of the end; null if a caller waits for it. Written before the request is submitted.
   */
  private @Nullable Completion<?> completion;

  /** Whether the request has ended. Accessed only by the thread that runs or refuses it. */
  private boolean settled;

  Kind kind() {
    return Kind.ALONE;
  }

  /** Returns the effect on the store. */
  public Access access() {
    return Access.READS;
  }

  /** Serves the request alone, and ends it with {@link #finish} or {@link #fail}. */
  public abstract void run(KvStore shard);

  /** Ends the request successfully. */
  public final void finish() {
    if (!settled) {
      settled = true;
      end();
    }
  }

  private void end() {
    done.down();
    if (completion != null) {
      completion.ended();
    }
  }

  /** Sets the completion to notify of the end. Called before the request is submitted. */
  public final void completeBy(Completion<?> end) {
    completion = end;
  }

  /** Claims the request for its worker. Returns false if it was cancelled. */
  final boolean take() {
    return completion == null || completion.take();
  }

  /** Whether the caller wants to know when the write is visible, before it is durable. */
  final boolean isStaged() {
    return completion != null;
  }

  /** Reports that the write is visible, before it is durable. */
  final void visible() {
    if (completion != null) {
      completion.visible();
    }
  }

  /** Ends the request with a failure. Does nothing if the request has ended. */
  public final void fail(Throwable cause) {
    if (!settled) {
      settled = true;
      failure = cause;
      failed(cause);
      end();
    }
  }

  /** Called once if the request fails, before its end is reported. */
  protected void failed(Throwable cause) {}

  /** Parks until the request has ended. Throws the failure if there was one. */
  public final void await() {
    done.await();
    if (failure != null) {
      throw rethrown(failure);
    }
  }

  /** For {@code throw rethrown(failure)}: throws an error, returns a runtime exception. */
  public static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }

  /** A request for one call of the shard's store, served alone. Threads: see {@link Request}. */
  public static final class Call<T extends @Nullable Object> extends Request {

    private final Access access;
    private final Function<KvStore, T> call;
    private @Nullable T result;

    /** Creates a request with the given effect on the store. */
    public Call(Access access, Function<KvStore, T> call) {
      this.access = access;
      this.call = call;
    }

    @Override
    public Access access() {
      return access;
    }

    @Override
    public void run(KvStore shard) {
      try {
        result = call.apply(shard);
      } catch (RuntimeException e) {
        fail(e);
        return;
      }
      finish();
    }

    /** Waits for the end of the call and returns its result. */
    @SuppressWarnings("NullAway") // Null only if the call returned null.
    public T result() {
      await();
      return result;
    }
  }

  /** A lookup of one key. Threads: see {@link Request}. */
  public static final class Read extends Request {

    private final Keyspace keyspace;
    private final byte[] key;
    private final int offset;
    private final int length;
    private byte @Nullable [] value;

    /**
     * Creates a lookup.
     *
     * @param keyspace the keyspace in the shard's store
     */
    public Read(Keyspace keyspace, byte[] key, int offset, int length) {
      this.keyspace = keyspace;
      this.key = key;
      this.offset = offset;
      this.length = length;
    }

    @Override
    Kind kind() {
      return Kind.READ;
    }

    /** The keyspace in the shard's store. */
    Keyspace keyspace() {
      return keyspace;
    }

    /** Returns the key in an array of its exact length. */
    byte[] key() {
      return offset == 0 && length == key.length
          ? key
          : Arrays.copyOfRange(key, offset, offset + length);
    }

    @Override
    public void run(KvStore shard) {
      byte[] found;
      try {
        found = keyspace.get(key, offset, length);
      } catch (RuntimeException e) {
        fail(e);
        return;
      }
      finish(found);
    }

    /** Ends the request with the value that was found. */
    void finish(byte @Nullable [] found) {
      value = found;
      finish();
    }

    /** Waits for the end of the lookup and returns the value; null if the key does not exist. */
    public byte @Nullable [] value() {
      await();
      return value;
    }
  }

  /** A put or delete of one key. Threads: see {@link Request}. */
  public static final class Write extends Request {

    private static final byte[] NOTHING = {};

    /** The value length of a delete. */
    private static final int DELETE = -1;

    private final Keyspace keyspace;
    private final Durability durability;

    // Set before the request is submitted.
    private byte[] key = NOTHING;
    private int keyOffset;
    private int keyLength;
    private byte[] value = NOTHING;
    private int valueOffset;
    private int valueLength = DELETE;

    /**
     * Creates a write, which needs a {@link #key}. It is a delete unless it gets a {@link #value}.
     *
     * @param keyspace the keyspace in the shard's store
     */
    public Write(Keyspace keyspace, Durability durability) {
      this.keyspace = keyspace;
      this.durability = durability;
    }

    /** Sets the key. */
    public Write key(byte[] bytes, int offset, int length) {
      key = bytes;
      keyOffset = offset;
      keyLength = length;
      return this;
    }

    /** Makes the write a put of a value. */
    public Write value(byte[] bytes, int offset, int length) {
      value = bytes;
      valueOffset = offset;
      valueLength = length;
      return this;
    }

    @Override
    Kind kind() {
      return Kind.WRITE;
    }

    @Override
    public Access access() {
      return Access.WRITES;
    }

    Durability durability() {
      return durability;
    }

    /** Returns the bytes of key and value. */
    long bytes() {
      return (long) keyLength + Math.max(0, valueLength);
    }

    /** Adds the write to a batch of the shard's store. */
    void addTo(WriteBatch batch) {
      if (valueLength == DELETE) {
        batch.delete(keyspace, key, keyOffset, keyLength);
      } else {
        batch.put(keyspace, key, keyOffset, keyLength, value, valueOffset, valueLength);
      }
    }

    @Override
    public void run(KvStore shard) {
      boolean twoSteps = isStaged() && durability == Durability.SYNC;
      try {
        write(twoSteps ? Durability.OS : durability);
        if (twoSteps) {
          visible();
          shard.sync();
        }
      } catch (RuntimeException e) {
        fail(e);
        return;
      }
      finish();
    }

    private void write(Durability first) {
      if (valueLength == DELETE) {
        keyspace.delete(key, keyOffset, keyLength, first);
      } else {
        keyspace.put(key, keyOffset, keyLength, value, valueOffset, valueLength, first);
      }
    }

    /** Waits for the end of the write. */
    @Nullable
    public Void result() {
      await();
      return null;
    }
  }
}
