// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * The head of a segment of either stream. Records follow from byte {@value #BYTES} on.
 *
 * <pre>
 * | offset | size | name       | meaning                                                 |
 * |      0 |   32 | file       | the common file header with the file's number           |
 * |     32 |    8 | baseSeqno  | seqno of the generation's first record                  |
 * |     40 |    4 | generation | number of the generation; 0: none, see below            |
 * |     44 |    4 | salt       | random; goes into the checksum of each of its records   |
 * |     48 |    8 | manifest   | number of the manifest in force before this head        |
 * |     56 |    4 | records    | how many records of that manifest were durable          |
 * |     60 |    4 | crc32c     | of bytes [32, 60)                                       |
 * </pre>
 *
 * <p>A head that begins with eight zero bytes belongs to an unused segment, or to one that was
 * being put into use when the process died. These bytes are cleared first and written last. The
 * head lies within one sector, so the device writes it atomically.
 *
 * <p>A write-ahead segment is recycled by writing a new head over the old one; the file keeps its
 * name. The segment's old records are still behind the new ones. The salt keeps them from being
 * read as records of the new generation, even if a generation with the same number and base seqno
 * lost its head.
 *
 * <p>A value segment without a generation holds values that a move or a flush relocated. Its
 * records keep their original seqnos and are sorted by key. They are not part of the history that
 * recovery reads; they are alive only if tables point to them. Its base seqno is 0.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Segment head".
 *
 * @param generation number of the generation; 0 for values of a move; if negative, the values of a
 *     generation with this number without its sign, which its flush has sorted
 * @param baseSeqno seqno of the generation's first record
 * @param salt seed of the checksums of the generation's records
 * @param manifest the part of the manifest that was durable when the generation began
 */
public record SegmentLayout(int generation, long baseSeqno, int salt, ManifestPosition manifest) {

  /** Bytes of the head. */
  public static final int BYTES = 64;

  /** The generation number of segments that a move has written. */
  public static final int NO_GENERATION = 0;

  private static final int MAGIC_BYTES = 8;
  static final int BASE_SEQNO = FileHeader.BYTES;
  private static final int GENERATION = BASE_SEQNO + 8;
  static final int SALT = GENERATION + 4;
  private static final int MANIFEST = SALT + 4;
  private static final int MANIFEST_RECORDS = MANIFEST + 8;
  static final int CRC = MANIFEST_RECORDS + 4;

  /** Returns the generation number of a segment with the sorted values of a generation. */
  static int sorted(int generation) {
    return -generation;
  }

  /** Whether a flush or a move has written the segment, in key order. */
  public boolean isSorted() {
    return generation <= NO_GENERATION;
  }

  /** Whether a move has written the segment. */
  public boolean isMoved() {
    return generation == NO_GENERATION;
  }

  /** Puts the segment into use. */
  void write(ByteBuffer segment, FileHeader file) {
    write(segment, encode(file));
  }

  /**
   * Puts the segment into use with an encoded head. If the process dies during this call, the
   * segment has the old head, the new head, or one that begins with zeros.
   */
  static void write(ByteBuffer segment, ByteBuffer head) {
    segment.putLong(0, 0);
    VarHandle.releaseFence();
    segment.put(MAGIC_BYTES, head, MAGIC_BYTES, BYTES - MAGIC_BYTES);
    VarHandle.releaseFence();
    segment.putLong(0, head.getLong(0));
  }

  ByteBuffer encode(FileHeader file) {
    ByteBuffer head = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    file.encode(head, 0);
    head.putLong(BASE_SEQNO, baseSeqno);
    head.putInt(GENERATION, generation);
    head.putInt(SALT, salt);
    head.putLong(MANIFEST, manifest.manifest());
    head.putInt(MANIFEST_RECORDS, manifest.records());
    head.putInt(CRC, crc(head));
    return head;
  }

  /**
   * Returns whether the segment has no head, or one that was being written when the process died.
   */
  static boolean isUnused(ByteBuffer segment) {
    return segment.getLong(0) == 0;
  }

  /** Reads and verifies the head of a segment that is in use. */
  public static SegmentLayout read(
      ByteBuffer segment, String file, FileHeader.Kind kind, long storeId, long number) {
    if (segment.capacity() < BYTES) {
      throw new CorruptionException(
          file, 0, "the segment has only " + segment.capacity() + " bytes, less than its head");
    }
    FileHeader.decode(segment, file).expect(file, kind, storeId, number);
    long base = segment.getLong(BASE_SEQNO);
    int generation = LittleEndian.getMappedInt(segment, GENERATION);
    if (LittleEndian.getMappedInt(segment, CRC) != crc(segment)) {
      throw new CorruptionException(file, BASE_SEQNO, "the segment head fails its checksum");
    }
    ManifestPosition manifest = new ManifestPosition(
        segment.getLong(MANIFEST), LittleEndian.getMappedInt(segment, MANIFEST_RECORDS));
    int first = kind == FileHeader.Kind.VALUE_LOG ? sorted(Integer.MAX_VALUE) : 1;
    boolean impossible = base < 0 || base > RecordLayout.SEQNO_MASK || generation < first;
    boolean impossiblePosition = manifest.manifest() < 0
        || manifest.manifest() > StoreFileName.NUMBER_MAX
        || manifest.records() < 0;
    if (impossible || impossiblePosition) {
      throw new CorruptionException(file, BASE_SEQNO, "the segment head holds impossible values");
    }
    return new SegmentLayout(generation, base, salt(segment), manifest);
  }

  /** Returns the salt of a segment whose head was verified. */
  public static int salt(ByteBuffer segment) {
    return LittleEndian.getMappedInt(segment, SALT);
  }

  private static int crc(ByteBuffer segment) {
    byte[] head = new byte[CRC - BASE_SEQNO];
    segment.get(BASE_SEQNO, head);
    CRC32C crc = new CRC32C();
    crc.update(head);
    return (int) crc.getValue();
  }

  /**
   * The head of a segment that will be put into use, encoded except for its base seqno. The
   * constructor allocates everything, so that {@link #write} only stores into the segment.
   *
   * <p>Threads: one thread at a time.
   */
  static final class Head {

    private final ByteBuffer segment;
    private final ByteBuffer encoded;
    private final CRC32C crc = new CRC32C();

    Head(MappedFile file, FileHeader.Kind kind, SegmentLayout layout, long storeId) {
      this.segment = file.memory();
      this.encoded = layout.encode(new FileHeader(kind, storeId, SegmentFiles.numberOf(file)));
    }

    /** Puts the segment into use, see {@link SegmentLayout#write}. */
    void write(long baseSeqno) {
      encoded.putLong(BASE_SEQNO, baseSeqno);
      crc.reset();
      encoded.limit(CRC).position(BASE_SEQNO);
      crc.update(encoded);
      encoded.clear();
      encoded.putInt(CRC, (int) crc.getValue());
      SegmentLayout.write(segment, encoded);
    }
  }

  /**
   * The source of the heads that a store writes into its new segments.
   *
   * <p>Threads: as the suppliers allow; {@link SegmentFiles} calls it under its monitor.
   *
   * @param storeId the id of the store
   * @param salts random numbers
   * @param manifest returns the durable part of the manifest
   */
  public record Heads(long storeId, IntSupplier salts, Supplier<ManifestPosition> manifest) {

    /** Returns the head of a segment of a generation, with a new salt, for a base seqno of 0. */
    SegmentLayout next(int generation) {
      return new SegmentLayout(generation, 0, salts.getAsInt(), manifest.get());
    }
  }
}
