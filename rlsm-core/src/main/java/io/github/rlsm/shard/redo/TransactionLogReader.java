// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.redo;

import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.RecordFrame;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Reads the file {@code SHARDS}. If no whole record begins at the expected offset, the first
 * matching row decides (FORMAT.md, "Shards"):
 *
 * <pre>
 * | case             | found                     | decision                                      |
 * | A clean end      | the end of the file       | done                                          |
 * | B damaged record | a whole record further on | CorruptionException: a record is forced       |
 * |                  |                           | before the next one is written                |
 * | C torn tail      | anything else             | dropped: no part of that batch was applied;   |
 * |                  |                           | otherwise the identity of a shard would name  |
 * |                  |                           | the batch, see {@code ShardOpening}           |
 * </pre>
 *
 * <p>Threads: one thread at a time.
 */
public final class TransactionLogReader implements AutoCloseable {

  private static final String NAME = StoreFileName.SHARDS;

  /** Receives transactions. */
  interface Visitor {

    /** Returns the receiver of the operations of the transaction with this GSN. */
    BatchLayout.Reader transaction(long gsn);
  }

  private final MappedFile mapped;
  private final ByteBuffer file;
  private final ShardLogLayout.Head head;
  private final RecordFrame records;

  private TransactionLogReader(MappedFile mapped) {
    this.mapped = mapped;
    this.file = mapped.memory();
    this.head = MappedFaults.using(NAME, () -> ShardLogLayout.decode(file, NAME));
    this.records = ShardLogLayout.records(head.salt());
  }

  /** Opens the file and reads its head. */
  public static TransactionLogReader open(StoreDirectory directory) {
    if (directory.size(NAME) < ShardLogLayout.HEAD_BYTES) {
      throw new CorruptionException(
          NAME, 0, "the file has " + directory.size(NAME) + " bytes, which is less than its head");
    }
    MappedFile mapped = directory.openReadOnly(NAME);
    try {
      return new TransactionLogReader(mapped);
    } catch (RuntimeException | Error e) {
      mapped.close();
      throw e;
    }
  }

  /** The head of the file. */
  public ShardLogLayout.Head head() {
    return head;
  }

  /**
   * Reads all records.
   *
   * @return the GSN after the last record's
   * @throws CorruptionException if a record is damaged that was whole before
   * @throws FormatVersionException if this release does not support the format of a record
   */
  long read(Visitor visitor) {
    return MappedFaults.using(NAME, () -> readRecords(visitor));
  }

  /**
   * Reads a file that must have no record, because the shards' logs keep the batches.
   *
   * @return the next GSN
   */
  public long readEmpty() {
    long next = read(gsn -> (keyspace, key, value) -> {});
    if (next > head.firstGsn()) {
      throw new CorruptionException(
          NAME,
          ShardLogLayout.HEAD_BYTES,
          "the file has a record, but the shards' logs keep the batches");
    }
    return next;
  }

  private long readRecords(Visitor visitor) {
    int offset = ShardLogLayout.HEAD_BYTES;
    long gsn = head.firstGsn();
    for (int bytes = recordAt(offset); bytes > 0; bytes = recordAt(offset)) {
      records.check(file, offset, gsn, NAME);
      int operations = offset + ShardLogLayout.OPERATIONS_OFFSET;
      BatchLayout.decode(
          file.slice(operations, bytes - ShardLogLayout.OPERATIONS_OFFSET),
          NAME,
          operations,
          visitor.transaction(gsn));
      offset += bytes;
      gsn++;
    }
    int later = records.laterRecord(file, offset, gsn);
    if (later >= 0) {
      throw new CorruptionException(
          NAME,
          offset,
          String.format(
              Locale.ROOT,
              "record %d is damaged, and a whole record follows at offset %d",
              gsn,
              later));
    }
    return gsn;
  }

  private int recordAt(int offset) {
    return records.bytesAt(file, offset);
  }

  @Override
  public void close() {
    mapped.close();
  }
}
