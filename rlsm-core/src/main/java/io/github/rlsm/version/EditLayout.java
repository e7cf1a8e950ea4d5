// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The byte layout of a {@link VersionEdit}: a sequence of changes, each a tag and its fields
 * (little-endian; FORMAT.md, "Version edit").
 *
 * <pre>
 * | tag | change             | fields                                                        |
 * |   1 | add table          | u64 number, u64 fileBytes, u64 entries, u64 tombstones,       |
 * |     |                    | bytes smallest, bytes largest, u64 minSeqno, u64 maxSeqno     |
 * |   2 | add L0 run         | run                                                           |
 * |   3 | remove L0 run      | u64 table                                                     |
 * |   4 | add partition      | range, u32 count, count runs, oldest first                    |
 * |   5 | remove partition   | range, u32 fingerprint                                        |
 * |   6 | create keyspace    | u32 id, text name                                             |
 * |   7 | drop keyspace      | u32 id                                                        |
 * |   8 | next keyspace id   | u32 id                                                        |
 * |   9 | flushed            | u64 seqno, u32 firstGeneration                                |
 * |  10 | add segment        | u32 number, u64 totalBytes, u64 deadBytes, u64 paddingBytes   |
 * |  11 | remove segment     | u32 number                                                    |
 * |  12 | add dead bytes     | u32 segment, u64 bytes                                        |
 * |  13 | set option         | text name, text value                                         |
 * |  14 | next file number   | u64 number                                                    |
 * |  15 | next segment number| u32 number                                                    |
 * |  16 | durable            | u64 seqno                                                     |
 * |  17 | parts              | u64 gsn                                                       |
 *
 * tag    u8
 * bytes  u16 length, then the bytes; text is the same in UTF-8
 * range  u8 ends (bit 0: has from, bit 1: has to, other bits 0), bytes from, bytes to
 * run    u64 table, range, u64 bytes, u64 entries,
 *        u32 count, count times u32 moved segment, ascending
 * </pre>
 *
 * <p>A u64 is at most 2<sup>63</sup>−1 and a u32 at most 2<sup>31</sup>−1, except for the
 * fingerprint. A partition's fingerprint is the CRC32C of the fields after the tag in its
 * add-partition change.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Version edit".
 */
final class EditLayout {

  private static final int ADD_TABLE = 1;
  private static final int ADD_L0 = 2;
  private static final int REMOVE_L0 = 3;
  private static final int ADD_PARTITION = 4;
  private static final int REMOVE_PARTITION = 5;
  private static final int CREATE_KEYSPACE = 6;
  private static final int DROP_KEYSPACE = 7;
  private static final int NEXT_KEYSPACE_ID = 8;
  private static final int FLUSHED = 9;
  private static final int ADD_SEGMENT = 10;
  private static final int REMOVE_SEGMENT = 11;
  private static final int ADD_DEAD_BYTES = 12;
  private static final int SET_OPTION = 13;
  private static final int NEXT_FILE_NUMBER = 14;
  private static final int NEXT_SEGMENT_NUMBER = 15;
  private static final int DURABLE = 16;
  private static final int PARTS = 17;

  private static final int HAS_FROM = 1;
  private static final int HAS_TO = 2;

  /** Length of a run over all keys, the shortest possible run. */
  private static final int RUN_BYTES_MIN = 3 * Long.BYTES + 1 + Integer.BYTES;

  private EditLayout() {}

  /** Computes a checksum that distinguishes two states of a partition. */
  static int fingerprint(Partition partition) {
    EditFields.Writer out = new EditFields.Writer();
    writePartition(out, partition);
    CRC32C crc = new CRC32C();
    crc.update(out.toBytes());
    return (int) crc.getValue();
  }

  /**
   * Decodes changes up to the reader's end and passes them to a sink.
   *
   * @throws CorruptionException if the bytes are not an edit
   * @throws FormatVersionException if a change has a kind that this release does not know
   */
  static void decode(EditFields.Reader in, VersionEdit.Sink sink) {
    while (in.hasMore()) {
      decodeChange(in, sink);
    }
  }

  private static void decodeChange(EditFields.Reader in, VersionEdit.Sink sink) {
    int tag = in.u8();
    switch (tag) {
      case ADD_TABLE -> sink.addTable(readTable(in));
      case ADD_L0 -> sink.addL0(readRun(in));
      case REMOVE_L0 -> sink.removeL0(in.u63());
      case ADD_PARTITION -> sink.addPartition(readPartition(in));
      case REMOVE_PARTITION -> sink.removePartition(readRange(in), in.u32());
      case CREATE_KEYSPACE -> sink.createKeyspace(in.u31(), in.text());
      case DROP_KEYSPACE -> sink.dropKeyspace(in.u31());
      case NEXT_KEYSPACE_ID -> sink.nextKeyspaceId(in.u31());
      case FLUSHED -> sink.flushed(in.u63(), in.u31());
      case ADD_SEGMENT ->
        sink.addSegment(new SegmentAccount(in.u31(), in.u63(), in.u63(), in.u63()));
      case REMOVE_SEGMENT -> sink.removeSegment(in.u31());
      case ADD_DEAD_BYTES -> sink.addDeadBytes(in.u31(), in.u63());
      case SET_OPTION -> sink.setOption(in.text(), in.text());
      case NEXT_FILE_NUMBER -> sink.nextFileNumber(in.u63());
      case NEXT_SEGMENT_NUMBER -> sink.nextSegmentNumber(in.u31());
      case DURABLE -> sink.durable(in.u63());
      case PARTS -> sink.parts(in.u63());
      default ->
        throw new FormatVersionException(
            in.file(),
            "a change has the unknown kind "
                + tag
                + " before offset "
                + in.offset()
                + "; open the store with the release that wrote it, or a newer one");
    }
  }

  private static TableMeta readTable(EditFields.Reader in) {
    return new TableMeta(
        in.u63(),
        in.u63(),
        in.u63(),
        in.u63(),
        new KeyBounds(in.bytes(), in.bytes()),
        new SeqnoRange(in.u63(), in.u63()));
  }

  private static Run readRun(EditFields.Reader in) {
    return new Run(in.u63(), readRange(in), in.u63(), in.u63(), readSegments(in));
  }

  private static List<Integer> readSegments(EditFields.Reader in) {
    int count = in.count(Integer.BYTES);
    List<Integer> segments = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      segments.add(in.u31());
    }
    return segments;
  }

  private static Partition readPartition(EditFields.Reader in) {
    KeyRange range = readRange(in);
    int count = in.count(RUN_BYTES_MIN);
    List<Run> runs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      runs.add(readRun(in));
    }
    return new Partition(range, runs);
  }

  private static KeyRange readRange(EditFields.Reader in) {
    int ends = in.u8();
    if ((ends & ~(HAS_FROM | HAS_TO)) != 0) {
      throw in.corrupt("key range with ends " + ends);
    }
    byte @Nullable [] from = (ends & HAS_FROM) == 0 ? null : in.bytes();
    byte @Nullable [] to = (ends & HAS_TO) == 0 ? null : in.bytes();
    return KeyRange.of(from, to);
  }

  private static void writePartition(EditFields.Writer out, Partition partition) {
    writeRange(out, partition.range());
    out.u32(partition.runs().size());
    for (Run run : partition.runs()) {
      writeRun(out, run);
    }
  }

  private static void writeRun(EditFields.Writer out, Run run) {
    out.u64(run.table());
    writeRange(out, run.range());
    out.u64(run.bytes()).u64(run.entries()).u32(run.movedOut().size());
    run.movedOut().forEach(out::u32);
  }

  private static void writeRange(EditFields.Writer out, KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    out.u8((from == null ? 0 : HAS_FROM) | (to == null ? 0 : HAS_TO));
    if (from != null) {
      out.bytes(from);
    }
    if (to != null) {
      out.bytes(to);
    }
  }

  /**
   * Encodes changes in the order in which they are added.
   *
   * <p>Threads: one thread at a time.
   */
  static final class Encoder implements VersionEdit.Sink {

    private final EditFields.Writer out = new EditFields.Writer();

    byte[] toBytes() {
      return out.toBytes();
    }

    @Override
    public void addTable(TableMeta table) {
      out.u8(ADD_TABLE).u64(table.number()).u64(table.fileBytes());
      out.u64(table.entries()).u64(table.tombstones());
      out.bytes(table.keys().smallest()).bytes(table.keys().largest());
      out.u64(table.seqnos().min()).u64(table.seqnos().max());
    }

    @Override
    public void addL0(Run run) {
      out.u8(ADD_L0);
      writeRun(out, run);
    }

    @Override
    public void removeL0(long table) {
      out.u8(REMOVE_L0).u64(table);
    }

    @Override
    public void addPartition(Partition partition) {
      out.u8(ADD_PARTITION);
      writePartition(out, partition);
    }

    @Override
    public void removePartition(KeyRange range, int fingerprint) {
      out.u8(REMOVE_PARTITION);
      writeRange(out, range);
      out.u32(fingerprint);
    }

    @Override
    public void createKeyspace(int id, String name) {
      out.u8(CREATE_KEYSPACE).u32(id).text(name);
    }

    @Override
    public void dropKeyspace(int id) {
      out.u8(DROP_KEYSPACE).u32(id);
    }

    @Override
    public void nextKeyspaceId(int id) {
      out.u8(NEXT_KEYSPACE_ID).u32(id);
    }

    @Override
    public void flushed(long seqno, int firstGeneration) {
      out.u8(FLUSHED).u64(seqno).u32(firstGeneration);
    }

    @Override
    public void addSegment(SegmentAccount segment) {
      out.u8(ADD_SEGMENT).u32(segment.number());
      out.u64(segment.totalBytes()).u64(segment.deadBytes()).u64(segment.paddingBytes());
    }

    @Override
    public void removeSegment(int number) {
      out.u8(REMOVE_SEGMENT).u32(number);
    }

    @Override
    public void addDeadBytes(int segment, long bytes) {
      out.u8(ADD_DEAD_BYTES).u32(segment).u64(bytes);
    }

    @Override
    public void setOption(String name, String value) {
      out.u8(SET_OPTION).text(name).text(value);
    }

    @Override
    public void nextFileNumber(long number) {
      out.u8(NEXT_FILE_NUMBER).u64(number);
    }

    @Override
    public void nextSegmentNumber(int number) {
      out.u8(NEXT_SEGMENT_NUMBER).u32(number);
    }

    @Override
    public void durable(long seqno) {
      out.u8(DURABLE).u64(seqno);
    }

    @Override
    public void parts(long gsn) {
      out.u8(PARTS).u64(gsn);
    }
  }
}
