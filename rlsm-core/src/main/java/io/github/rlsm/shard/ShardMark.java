// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.kv.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * What a shard keeps about itself: whose it is, and up to which transaction it has its parts. It
 * stands in the shard's own store, in the keyspace {@value #KEYSPACE}, under one key, and is
 * written together with each part (little-endian; FORMAT.md, "Shards").
 *
 * <pre>
 * | offset | size | type | name    | meaning, valid range                            |
 * |      0 |    8 | u64  | storeId | the sharded store's                             |
 * |      8 |    2 | u16  | shard   | which shard this is, from 0                     |
 * |     10 |    2 | u16  | shards  | how many there are                              |
 * |     12 |    8 | u64  | gsn     | of the last transaction it has a part of, or 0  |
 * |     20 |    4 | u32  | crc32c  | CRC32C of bytes 0 to 19                         |
 * </pre>
 *
 * @param storeId the sharded store's
 * @param shard which shard this is, from 0
 * @param shards how many there are
 * @param gsn of the last transaction it has a part of; 0 for none
 */
record ShardMark(long storeId, int shard, int shards, long gsn) {

  /** The keyspace of a shard that users do not see. */
  static final String KEYSPACE = "rlsm.shard";

  /** Encoded length. */
  static final int BYTES = 24;

  private static final byte[] KEY = "mark".getBytes(UTF_8);

  /** Bytes of key and value. */
  static final int ENTRY_BYTES = KEY.length + BYTES;

  private static final int STORE_ID_OFFSET = 0;
  private static final int SHARD_OFFSET = 8;
  private static final int SHARDS_OFFSET = 10;
  private static final int GSN_OFFSET = 12;
  private static final int CRC_OFFSET = 20;

  /** The key it stands under. */
  static byte[] key() {
    return KEY.clone();
  }

  /** The same shard's mark after a later transaction. */
  ShardMark withGsn(long later) {
    return new ShardMark(storeId, shard, shards, later);
  }

  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(STORE_ID_OFFSET, storeId);
    bytes.putShort(SHARD_OFFSET, (short) shard);
    bytes.putShort(SHARDS_OFFSET, (short) shards);
    bytes.putLong(GSN_OFFSET, gsn);
    bytes.putInt(CRC_OFFSET, checksum(bytes));
    return bytes.array();
  }

  /**
   * Reads a mark.
   *
   * @param shard the shard it was found in, for messages
   * @throws CorruptionException if it is damaged
   */
  static ShardMark decode(byte[] encoded, int shard) {
    ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    if (encoded.length != BYTES || bytes.getInt(CRC_OFFSET) != checksum(bytes)) {
      throw new CorruptionException(
          "shard " + shard,
          0,
          String.format(Locale.ROOT, "its mark, of %d bytes, is damaged", encoded.length));
    }
    return new ShardMark(
        bytes.getLong(STORE_ID_OFFSET),
        Short.toUnsignedInt(bytes.getShort(SHARD_OFFSET)),
        Short.toUnsignedInt(bytes.getShort(SHARDS_OFFSET)),
        bytes.getLong(GSN_OFFSET));
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, CRC_OFFSET));
    return (int) crc.getValue();
  }
}
