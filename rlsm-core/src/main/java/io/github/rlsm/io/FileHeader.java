// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The header of a file: kind, store and number. It is the first {@value #BYTES} bytes of every file
 * of a store, except that a table has it at its end.
 *
 * <p>On disk (little-endian; FORMAT.md, "File header"):
 *
 * <pre>
 * | offset | size | type | name       | meaning, valid range                               |
 * |      0 |    8 | u64  | magic      | bytes 52 4C 53 4D 0D 0A 1A 0A ("RLSM\r\n\032\n")   |
 * |      8 |    1 | u8   | kind       | code of {@link Kind}, 1 to 7                   |
 * |      9 |    1 | u8   | reserved   | 0                                                  |
 * |     10 |    2 | u16  | version    | format version, 1                                  |
 * |     12 |    4 | u32  | crc32c     | CRC32C of bytes 0 to 11 and 16 to 31               |
 * |     16 |    8 | u64  | storeId    | random number, chosen when the store was created   |
 * |     24 |    8 | u64  | fileNumber | the number in the file's name                      |
 * </pre>
 *
 * <p>These 32 bytes keep this layout in every later format version, so that any release can tell a
 * newer file from a damaged one.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "File header".
 *
 * @param kind the kind of the file
 * @param storeId the store the file belongs to
 * @param fileNumber the number in the file's name
 */
public record FileHeader(Kind kind, long storeId, long fileNumber) {

  /** Length of the encoded header in bytes. */
  public static final int BYTES = 32;

  /** The format version that this release writes, and the newest that it reads. */
  public static final int VERSION = 1;

  private static final long MAGIC = 0x0A1A_0A0D_4D53_4C52L;

  private static final String NEWER = "; open it with the release that wrote it";

  private static final int MAGIC_OFFSET = 0;
  private static final int KIND_OFFSET = 8;
  private static final int RESERVED_OFFSET = 9;
  private static final int VERSION_OFFSET = 10;
  private static final int CRC_OFFSET = 12;
  private static final int STORE_ID_OFFSET = 16;
  private static final int FILE_NUMBER_OFFSET = 24;

  /**
   * Writes the header at {@code offset} of a buffer of any byte order. Does not change the
   * position.
   */
  public void encode(ByteBuffer buffer, int offset) {
    ByteBuffer header = slice(buffer, offset);
    header.putLong(MAGIC_OFFSET, MAGIC);
    header.put(KIND_OFFSET, (byte) kind.code());
    header.put(RESERVED_OFFSET, (byte) 0);
    header.putShort(VERSION_OFFSET, (short) VERSION);
    header.putLong(STORE_ID_OFFSET, storeId);
    header.putLong(FILE_NUMBER_OFFSET, fileNumber);
    header.putInt(CRC_OFFSET, checksum(header));
  }

  /** Returns the encoded header, ready to be appended. */
  public ByteBuffer encode() {
    ByteBuffer header = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    encode(header, 0);
    return header;
  }

  /**
   * Reads the header at the start of a file.
   *
   * @param bytes the file's bytes from index 0 to the limit, in any byte order; the position does
   *     not change
   * @param file the file's name, for messages
   * @throws CorruptionException if the header is truncated or damaged
   * @throws FormatVersionException if the file does not belong to a store, or has a format that
   *     this release does not know
   */
  public static FileHeader decode(ByteBuffer bytes, String file) {
    if (bytes.limit() < BYTES) {
      throw new CorruptionException(
          file, 0, "the file ends after " + bytes.limit() + " of " + BYTES + " header bytes");
    }
    ByteBuffer header = slice(bytes, 0);
    checkMagic(header, file);
    int stored = header.getInt(CRC_OFFSET);
    int computed = checksum(header);
    if (stored != computed) {
      throw new CorruptionException(
          file,
          0,
          String.format(
              Locale.ROOT, "the header's checksum is %08x, expected %08x", stored, computed));
    }
    checkVersion(header, file);
    return new FileHeader(
        kindOf(header.get(KIND_OFFSET), file),
        header.getLong(STORE_ID_OFFSET),
        header.getLong(FILE_NUMBER_OFFSET));
  }

  /**
   * Whether {@code offset} has the magic number of a header. For files that end with their header:
   * if it is missing, the end of the file is missing.
   */
  public static boolean isPresent(ByteBuffer bytes, int offset) {
    return slice(bytes, offset).getLong(MAGIC_OFFSET) == MAGIC;
  }

  /**
   * Checks that this header has the expected kind, store and number.
   *
   * @param file the file's name, for messages
   * @throws CorruptionException if the kind or the number differs, so the file has the bytes of
   *     another file
   * @throws FormatVersionException if the file belongs to another store
   */
  public void expect(String file, Kind kind, long storeId, long fileNumber) {
    expectKind(file, kind);
    if (this.storeId != storeId) {
      throw new FormatVersionException(
          file,
          String.format(
              Locale.ROOT,
              "belongs to store %016x, not to this store (%016x); remove it, or restore the"
                  + " original file",
              this.storeId,
              storeId));
    }
    if (this.fileNumber != fileNumber) {
      throw new CorruptionException(
          file,
          FILE_NUMBER_OFFSET,
          "the header names file number " + this.fileNumber + ", expected " + fileNumber);
    }
  }

  /**
   * Checks only the kind, for a file that is read before the store's id is known.
   *
   * @throws CorruptionException if the kind differs
   */
  public void expectKind(String file, Kind kind) {
    if (this.kind != kind) {
      throw new CorruptionException(
          file, KIND_OFFSET, "the header names the kind " + this.kind + ", expected " + kind);
    }
  }

  /**
   * Checks the magic number. A file with another magic may be foreign, or a damaged file of a
   * store. It is a store's file if its checksum is right with the magic number restored.
   */
  private static void checkMagic(ByteBuffer header, String file) {
    long magic = header.getLong(MAGIC_OFFSET);
    if (magic == MAGIC) {
      return;
    }
    ByteBuffer mended = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    mended.put(0, header, 0, BYTES).putLong(MAGIC_OFFSET, MAGIC);
    if (mended.getInt(CRC_OFFSET) == checksum(mended)) {
      throw new CorruptionException(file, MAGIC_OFFSET, "the header's magic number is damaged");
    }
    if (isZero(header)) {
      throw new CorruptionException(file, 0, "the header is all zeros: it was never written");
    }
    throw new FormatVersionException(
        file,
        String.format(
            Locale.ROOT,
            "not a file of an RLSM store (magic number %016x, expected %016x)",
            Long.reverseBytes(magic),
            Long.reverseBytes(MAGIC)));
  }

  private static void checkVersion(ByteBuffer header, String file) {
    int version = Short.toUnsignedInt(header.getShort(VERSION_OFFSET));
    if (version != VERSION) {
      throw new FormatVersionException(
          file,
          "format version " + version + ", but this release reads version " + VERSION + NEWER);
    }
    int reserved = header.get(RESERVED_OFFSET);
    if (reserved != 0) {
      throw new FormatVersionException(file, "unknown flags in the header: " + reserved + NEWER);
    }
  }

  private static Kind kindOf(int code, String file) {
    for (Kind kind : Kind.values()) {
      if (kind.code() == code) {
        return kind;
      }
    }
    throw new FormatVersionException(file, "unknown kind of file: " + code + NEWER);
  }

  private static int checksum(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    MappedChecksum.update(crc, header, 0, CRC_OFFSET);
    MappedChecksum.update(crc, header, STORE_ID_OFFSET, BYTES - STORE_ID_OFFSET);
    return (int) crc.getValue();
  }

  private static boolean isZero(ByteBuffer header) {
    for (int i = 0; i < BYTES; i += Long.BYTES) {
      if (header.getLong(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static ByteBuffer slice(ByteBuffer buffer, int offset) {
    return buffer.slice(offset, BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The kinds of file in a store. The codes are part of the disk format: never change one. */
  public enum Kind {
    /** A log segment of records that contain their values. */
    WRITE_AHEAD_LOG(1, "write-ahead log"),
    /** A log segment of records with large values. */
    VALUE_LOG(2, "value log"),
    /** Sorted, immutable entries. */
    TABLE(3, "table"),
    /** The log of changes to the set of live files. */
    MANIFEST(4, "manifest"),
    /** The marker that names the manifest in force. */
    CURRENT(5, "current marker"),
    /** The number of shards of a store, and the batches that span several shards. */
    SHARDS(6, "shard file"),
    /** A device that holds the direct log, or the file in a store that names this device. */
    LOG_DEVICE(7, "log device");

    private final int code;
    private final String title;

    Kind(int code, String title) {
      this.code = code;
      this.title = title;
    }

    /** The code in the file header. */
    int code() {
      return code;
    }

    /** The name of the kind, for messages. */
    @Override
    public String toString() {
      return title;
    }
  }
}
