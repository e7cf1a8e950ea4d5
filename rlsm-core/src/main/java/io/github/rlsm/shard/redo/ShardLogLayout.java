// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.redo;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedChecksum;
import io.github.rlsm.io.RecordFrame;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.shard.worker.ShardRouter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The encoding of the file {@code SHARDS}: a head, then one record for each cross-shard batch,
 * without gaps (little-endian; FORMAT.md, "Shards").
 *
 * <p>The head:
 *
 * <pre>
 * | offset | size | type | name     | meaning, valid range                                    |
 * |      0 |   32 |      | file     | the file header, kind 6, file number 0                  |
 * |     32 |    8 | u64  | firstGsn | GSN of the first record; 0 while the shards are created |
 * |     40 |    2 | u16  | shards   | number of shards, 1 to 1024                             |
 * |     42 |    1 | u8   | router   | how keys are assigned to shards, 1                      |
 * |     43 |    1 | u8   | batches  | how cross-shard batches are made atomic: 1 by           |
 * |        |      |      |          | records of this file, 2 by parts in the shards' logs    |
 * |     44 |    4 | u32  | set      | the current set of shards, 1 or more                    |
 * |     48 |    4 | u32  | salt     | random; goes into the checksum of every record          |
 * |     52 |    4 | u32  | crc32c   | CRC32C of bytes 32 to 51                                |
 * </pre>
 *
 * <p>A record is a {@link RecordFrame} with the salt of the head:
 *
 * <pre>
 * | offset | size | type | name       | meaning, valid range                                  |
 * |      0 |    4 | u32  | crc32c     | CRC32C of the salt and of bytes 4 to 8+length-1       |
 * |      4 |    4 | u32  | length     | bytes that follow, 11 or more                         |
 * |      8 |    1 | u8   | format     | how the operations are encoded, 1                     |
 * |      9 |    8 | u64  | gsn        | the first record's is firstGsn, then one more each    |
 * |     17 |    … |      | operations | {@link BatchLayout}                                   |
 * </pre>
 *
 * <p>Because of the salt, a search for records at the end of the file cannot mistake a user's value
 * for a record.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Shards".
 */
public final class ShardLogLayout {

  /** Encoded length of the head. */
  public static final int HEAD_BYTES = 56;

  /** How keys are assigned to shards: {@link ShardRouter}. */
  static final int ROUTER = 1;

  private static final int BY_RECORDS = 1;
  private static final int BY_PARTS = 2;

  /** How operations are encoded: {@link BatchLayout}. */
  private static final int FORMAT = 1;

  private static final int FIRST_GSN_OFFSET = 32;
  private static final int SHARDS_OFFSET = 40;
  private static final int ROUTER_OFFSET = 42;
  private static final int BATCHES_OFFSET = 43;
  private static final int SET_OFFSET = 44;
  private static final int SALT_OFFSET = 48;
  private static final int HEAD_CRC_OFFSET = 52;

  /** Offset of the operations in a record. */
  static final int OPERATIONS_OFFSET = RecordFrame.CONTENT_OFFSET;

  private ShardLogLayout() {}

  /**
   * The decoded head.
   *
   * @param storeId drawn when the sharded store was created
   * @param firstGsn GSN of the first record; 0 while the shards are being created
   * @param shards the number of shards
   * @param keepsParts whether cross-shard batches are made atomic by parts in the shards' logs, and
   *     not by records of this file
   * @param set the current set of shards, from 1; each resharding creates another set
   * @param salt of the records' checksums
   */
  public record Head(
      long storeId, long firstGsn, int shards, boolean keepsParts, int set, int salt) {

    /** Returns the head of a file without records that replaces the file of this head. */
    public Head next(long gsn, int freshSalt) {
      return new Head(storeId, gsn, shards, keepsParts, set, freshSalt);
    }

    /** Whether the creation of the shards is finished. */
    public boolean isComplete() {
      return firstGsn > 0;
    }
  }

  /** The encoded head, ready to be appended. */
  static ByteBuffer encode(Head head) {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    new FileHeader(FileHeader.Kind.SHARDS, head.storeId, 0).encode(bytes, 0);
    bytes.putLong(FIRST_GSN_OFFSET, head.firstGsn);
    bytes.putShort(SHARDS_OFFSET, (short) head.shards);
    bytes.put(ROUTER_OFFSET, (byte) ROUTER);
    bytes.put(BATCHES_OFFSET, (byte) (head.keepsParts ? BY_PARTS : BY_RECORDS));
    bytes.putInt(SET_OFFSET, head.set);
    bytes.putInt(SALT_OFFSET, head.salt);
    bytes.putInt(HEAD_CRC_OFFSET, headChecksum(bytes));
    return bytes;
  }

  /**
   * Decodes the head.
   *
   * @param file the file's bytes, little-endian
   * @throws CorruptionException if the head is damaged
   * @throws FormatVersionException if this release does not support the format
   */
  static Head decode(ByteBuffer file, String name) {
    FileHeader header = FileHeader.decode(file, name);
    header.expectKind(name, FileHeader.Kind.SHARDS);
    if (file.limit() < HEAD_BYTES) {
      throw new CorruptionException(
          name, 0, "the file ends after " + file.limit() + " bytes; its head takes " + HEAD_BYTES);
    }
    if (file.getInt(HEAD_CRC_OFFSET) != headChecksum(file)) {
      throw new CorruptionException(name, FIRST_GSN_OFFSET, "the head's checksum is wrong");
    }
    int router = Byte.toUnsignedInt(file.get(ROUTER_OFFSET));
    if (router != ROUTER) {
      throw new FormatVersionException(
          name,
          "unknown key router " + router + "; open the store with the release that created it");
    }
    int batches = Byte.toUnsignedInt(file.get(BATCHES_OFFSET));
    if (batches != BY_RECORDS && batches != BY_PARTS) {
      throw new FormatVersionException(
          name, "unknown scheme " + batches + " for cross-shard batches; use a newer release");
    }
    int shards = Short.toUnsignedInt(file.getShort(SHARDS_OFFSET));
    int set = file.getInt(SET_OFFSET);
    long firstGsn = file.getLong(FIRST_GSN_OFFSET);
    boolean possible = shards >= 1
        && shards <= ShardRouter.SHARDS_MAX
        && set >= 1
        && firstGsn >= 0
        && header.fileNumber() == 0;
    if (!possible) {
      throw new CorruptionException(
          name,
          FIRST_GSN_OFFSET,
          String.format(
              Locale.ROOT,
              "invalid head: %d shards, set %d, first GSN %d, file number %d",
              shards,
              set,
              firstGsn,
              header.fileNumber()));
    }
    return new Head(
        header.storeId(), firstGsn, shards, batches == BY_PARTS, set, file.getInt(SALT_OFFSET));
  }

  /** Returns the frame of the records of a file with this salt. The GSN is the record's number. */
  static RecordFrame records(int salt) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return new RecordFrame(FORMAT, BatchLayout.BYTES_MIN, bytes.putInt(0, salt).array());
  }

  /** Writes the fields before the operations of a record, which fills the whole buffer. */
  static void seal(ByteBuffer record, long gsn, int salt) {
    records(salt).seal(record, gsn);
  }

  private static int headChecksum(ByteBuffer file) {
    CRC32C crc = new CRC32C();
    MappedChecksum.update(crc, file, FIRST_GSN_OFFSET, HEAD_CRC_OFFSET - FIRST_GSN_OFFSET);
    return (int) crc.getValue();
  }
}
