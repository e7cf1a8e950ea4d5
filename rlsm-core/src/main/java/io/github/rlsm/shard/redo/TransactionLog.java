// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.redo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.WriteBatch;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The redo log of cross-shard batches, in the file {@code SHARDS}. A record is forced before any
 * part of its batch is applied and before the next record is appended. To drop records, a new file
 * replaces the old one.
 *
 * <p>After an append or a clear has thrown, the content of the device is unknown. Every later
 * append or clear throws, too.
 *
 * <p>Threads: any; {@link #lock} guards everything and is held during I/O.
 */
public final class TransactionLog implements AutoCloseable {

  private final StoreDirectory directory;
  private final RandomGenerator random;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private ShardLogLayout.Head head;

  @GuardedBy("lock")
  private AppendFile file;

  @GuardedBy("lock")
  private long nextGsn;

  @GuardedBy("lock")
  private @Nullable Throwable failure;

  private TransactionLog(
      StoreDirectory directory, RandomGenerator random, ShardLogLayout.Head head, AppendFile file) {
    this.directory = directory;
    this.random = random;
    this.head = head;
    this.file = file;
    this.nextGsn = head.firstGsn();
  }

  /** Replaces the file, if it exists, by an empty log. */
  public static TransactionLog create(
      StoreDirectory directory, RandomGenerator random, ShardLogLayout.Head head) {
    return new TransactionLog(directory, random, head, install(directory, head));
  }

  private static AppendFile install(StoreDirectory directory, ShardLogLayout.Head head) {
    if (directory.exists(StoreFileName.SHARDS_TEMPORARY)) {
      directory.delete(StoreFileName.SHARDS_TEMPORARY);
    }
    try (AppendFile fresh = directory.create(StoreFileName.SHARDS_TEMPORARY)) {
      fresh.append(ShardLogLayout.encode(head));
      fresh.force();
    }
    // The new name must be durable before the rename can be.
    directory.syncDirectory();
    directory.rename(StoreFileName.SHARDS_TEMPORARY, StoreFileName.SHARDS);
    directory.syncDirectory();
    return directory.openAppend(StoreFileName.SHARDS);
  }

  /** Returns the record of a batch, without its GSN. */
  static ByteBuffer record(WriteBatch batch) {
    return BatchLayout.encode(batch, ShardLogLayout.OPERATIONS_OFFSET);
  }

  /**
   * Appends a record made by {@link #record} and forces it.
   *
   * @return the GSN of the record
   */
  long append(ByteBuffer record) {
    lock.lock();
    try {
      checkUsable();
      ShardLogLayout.seal(record, nextGsn, head.salt());
      file.append(record);
      file.force();
      return nextGsn++;
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Drops all records. Their batches must be durable in the shards. */
  void clear() {
    lock.lock();
    try {
      checkUsable();
      ShardLogLayout.Head next = head.next(nextGsn, random.nextInt());
      AppendFile fresh = install(directory, next);
      file.close();
      file = fresh;
      head = next;
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void checkUsable() {
    if (failure != null) {
      throw new StoreFailedException(failure);
    }
  }

  /** Returns the head of the file. */
  ShardLogLayout.Head head() {
    lock.lock();
    try {
      return head;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the log has no records. */
  boolean isEmpty() {
    lock.lock();
    try {
      return nextGsn == head.firstGsn();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the length of the file in bytes. */
  long bytes() {
    lock.lock();
    try {
      return file.length();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      file.close();
    } finally {
      lock.unlock();
    }
  }
}
