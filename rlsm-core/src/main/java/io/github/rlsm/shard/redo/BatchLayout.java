// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.redo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a batch's operations in a record of the file {@code SHARDS} (little-endian;
 * FORMAT.md, "Shards").
 *
 * <pre>
 * | size | type | name      | meaning, valid range                                              |
 * |    2 | u16  | keyspaces | how many names follow                                             |
 * |    … |      | names     | for each: its length in bytes, u16, 1 to 255, and its UTF-8        |
 * |    … |      | operation | until the record ends:                                            |
 * |    1 | u8   | kind      |   1 put, 2 delete                                                 |
 * |    2 | u16  | keyspace  |   0 for the default one, else the index of its name, from 1       |
 * |    2 | u16  | keyLength |   1 to 65527                                                      |
 * |    4 | u32  | valueLength | 0 to 512 MiB; 0 in a delete                                     |
 * |    … |      | key, value |                                                                  |
 * </pre>
 *
 * <p>Keyspaces are stored by name, because their ids differ from shard to shard. The shard of an
 * operation is not stored; its key determines it.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Record of a batch".
 */
final class BatchLayout {

  /** Encoded length of a batch without operations. */
  static final int BYTES_MIN = 2;

  /** Maximum encoded length. The file must fit into one mapping. */
  private static final long BYTES_MAX = 1L << 30;

  private static final int OPERATION_BYTES = 9;
  private static final int PUT = 1;
  private static final int DELETE = 2;

  private BatchLayout() {}

  /** Receives the operations of an encoded batch. */
  interface Reader {

    /**
     * Receives one operation.
     *
     * @param keyspace the name of the keyspace; null for the default keyspace
     * @param value null for a delete
     */
    void operation(@Nullable String keyspace, byte[] key, byte @Nullable [] value);
  }

  /**
   * Encodes a batch.
   *
   * @param before number of bytes to leave free before the encoded batch
   * @throws InvalidEntryException if the encoded batch is too long
   */
  static ByteBuffer encode(WriteBatch batch, int before) {
    Map<String, Integer> names = new LinkedHashMap<>();
    batch.forEach(new NameCollector(names));
    long length = before + BYTES_MIN + batch.byteCount() + (long) OPERATION_BYTES * batch.count();
    for (String name : names.keySet()) {
      length += Short.BYTES + name.getBytes(UTF_8).length;
    }
    if (length > BYTES_MAX) {
      throw new InvalidEntryException("the cross-shard batch takes " + length
          + " bytes when encoded; at most " + BYTES_MAX + " are allowed; split the batch");
    }
    ByteBuffer out =
        ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN).position(before);
    out.putShort((short) names.size());
    for (String name : names.keySet()) {
      byte[] bytes = name.getBytes(UTF_8);
      out.putShort((short) bytes.length).put(bytes);
    }
    batch.forEach(new Encoder(names, out));
    return out.rewind();
  }

  /**
   * Decodes a batch.
   *
   * @param bytes the encoded batch, from its start to the buffer's end
   * @param file the name of the file, for messages
   * @param start the offset of the batch in the file, for messages
   * @throws CorruptionException if {@link #encode} cannot have written these bytes
   */
  static void decode(ByteBuffer bytes, String file, long start, Reader reader) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    String[] names = new String[1 + Short.toUnsignedInt(in.getShort())];
    for (int i = 1; i < names.length; i++) {
      names[i] = name(in, file, start);
    }
    while (in.hasRemaining()) {
      need(in, OPERATION_BYTES, file, start);
      int kind = in.get();
      int keyspace = Short.toUnsignedInt(in.getShort());
      int keyLength = Short.toUnsignedInt(in.getShort());
      int valueLength = in.getInt();
      if (kind < PUT
          || kind > DELETE
          || keyspace >= names.length
          || keyLength < 1
          || keyLength > KvStore.MAX_KEY_BYTES
          || valueLength < 0
          || (kind == DELETE && valueLength > 0)) {
        throw corrupt(in, file, start, "invalid operation header");
      }
      byte[] key = take(in, keyLength, file, start);
      byte[] value = take(in, valueLength, file, start);
      reader.operation(names[keyspace], key, kind == DELETE ? null : value);
    }
  }

  private static String name(ByteBuffer in, String file, long start) {
    need(in, Short.BYTES, file, start);
    byte[] bytes = take(in, Short.toUnsignedInt(in.getShort()), file, start);
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw corrupt(in, file, start, "a keyspace name is not UTF-8");
    }
  }

  private static byte[] take(ByteBuffer in, int length, String file, long start) {
    need(in, length, file, start);
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static void need(ByteBuffer in, int length, String file, long start) {
    if (in.remaining() < length) {
      throw corrupt(in, file, start, "expected " + length + " bytes, found " + in.remaining());
    }
  }

  private static CorruptionException corrupt(
      ByteBuffer in, String file, long start, String problem) {
    return new CorruptionException(file, start + in.position(), "invalid batch: " + problem);
  }

  /** Numbers the keyspace names in the order of their first use. */
  private record NameCollector(Map<String, Integer> names) implements WriteBatch.Visitor {

    private void add(@Nullable Keyspace keyspace) {
      if (keyspace != null && !keyspace.name().isEmpty()) {
        names.putIfAbsent(keyspace.name(), names.size() + 1);
      }
    }

    @Override
    public void put(
        @Nullable Keyspace keyspace,
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength) {
      add(keyspace);
    }

    @Override
    public void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
      add(keyspace);
    }
  }

  /** Appends operations. */
  private record Encoder(Map<String, Integer> names, ByteBuffer out) implements WriteBatch.Visitor {

    private void head(int kind, @Nullable Keyspace keyspace, int keyLength, int valueLength) {
      int number = keyspace == null ? 0 : names.getOrDefault(keyspace.name(), 0);
      out.put((byte) kind).putShort((short) number);
      out.putShort((short) keyLength).putInt(valueLength);
    }

    @Override
    public void put(
        @Nullable Keyspace keyspace,
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength) {
      head(PUT, keyspace, keyLength, valueLength);
      out.put(bytes, keyOffset, keyLength).put(bytes, valueOffset, valueLength);
    }

    @Override
    public void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
      head(DELETE, keyspace, keyLength, 0);
      out.put(bytes, keyOffset, keyLength);
    }
  }
}
