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
 * The identity of a shard: its store, its number, and the last cross-shard batch of which it has
 * applied its part. The shard's own store keeps the identity in the keyspace {@value #KEYSPACE}
 * under one key. With redo, the identity is written again together with each part (little-endian;
 * FORMAT.md, "Shards").
 *
 * <pre>
 * | offset | size | type | name    | meaning, valid range                            |
 * |      0 |    8 | u64  | storeId | the sharded store's                             |
 * |      8 |    2 | u16  | shard   | number of the shard, from 0                     |
 * |     10 |    2 | u16  | shards  | number of shards in the store                   |
 * |     12 |    8 | u64  | gsn     | of the last batch that it has a part of, or 0   |
 * |     20 |    4 | u32  | crc32c  | CRC32C of bytes 0 to 19                         |
 * </pre>
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Shard identity".
 *
 * @param storeId the sharded store's
 * @param shard number of the shard, from 0
 * @param shards number of shards in the store
 * @param gsn GSN of the last batch of which the shard has applied its part; 0 for no batch
 */
public record ShardIdentity(long storeId, int shard, int shards, long gsn) {

  /** The keyspace of a shard that is hidden from users. */
  public static final String KEYSPACE = "rlsm.shard";

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

  /** Returns the key of the identity. */
  public static byte[] key() {
    return KEY.clone();
  }

  /** Returns the same shard's identity after a later batch. */
  public ShardIdentity withGsn(long later) {
    return new ShardIdentity(storeId, shard, shards, later);
  }

  /** Returns the encoded identity. */
  public byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(STORE_ID_OFFSET, storeId);
    bytes.putShort(SHARD_OFFSET, (short) shard);
    bytes.putShort(SHARDS_OFFSET, (short) shards);
    bytes.putLong(GSN_OFFSET, gsn);
    bytes.putInt(CRC_OFFSET, checksum(bytes));
    return bytes.array();
  }

  /**
   * Decodes an identity.
   *
   * @param shard the shard that holds the identity, for messages
   * @throws CorruptionException if the identity is damaged
   */
  public static ShardIdentity decode(byte[] encoded, int shard) {
    ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    if (encoded.length != BYTES || bytes.getInt(CRC_OFFSET) != checksum(bytes)) {
      throw new CorruptionException(
          "shard " + shard,
          0,
          String.format(Locale.ROOT, "its identity of %d bytes is damaged", encoded.length));
    }
    return new ShardIdentity(
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
