// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.base.PartHeader;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log after a restart: turns segments into a {@link RecoveredLog}. The content of the log
 * does not change, unless the caller asks to end it earlier.
 *
 * <p>The bytes that are read may be in the page cache only, even if every later force succeeds:
 * after a failed write, Linux keeps the page and marks it clean. So recovery first
 * {@linkplain StoreDirectory#replaceByCopy copies} a segment that may not be durable to a new file.
 * The copy takes the segment's name once it is durable.
 *
 * <p>The generations are read in the order of their numbers. Both streams of a generation are
 * merged by seqno, and each record must be exactly where the previous one ended. The merge ends as
 * follows:
 *
 * <pre>
 * | case | at the expected seqno     | elsewhere                      | decision            |
 * |------|---------------------------|--------------------------------|---------------------|
 * | A    | a later generation begins | any                            | go on there         |
 * | B    | no valid record           | no valid record left           | end of the history  |
 * | C    | no valid record           | valid records, none promises   | end; drop, report   |
 * | D    | no valid record           | one promises this was durable, | CorruptionException |
 * |      |                           | or the manifest does           |                     |
 * </pre>
 *
 * <p>Case C is the normal result of a crash. The remaining records were never acknowledged, because
 * an earlier record of another writer was incomplete. After a power loss, they may have been
 * acknowledged with a durability below {@code SYNC}. Case D is damage. A record of a {@code SYNC}
 * write says how far the log had been forced before it, and some record below that is missing. The
 * manifest says the same about a store that was closed.
 *
 * <p>Before all this, recovery compares the heads of the segments with the manifest. A head that
 * counts more manifest records than were read proves that the manifest has lost records, so that
 * replay would begin at a wrong place.
 *
 * <p>Threads: one at a time.
 */
public final class LogRecovery {

  /** An end bound that includes the whole log. */
  public static final long TO_THE_END = Long.MAX_VALUE;

  private static final int SEGMENT_NUMBER_MAX = Integer.MAX_VALUE - 1;

  private final StoreDirectory directory;
  private final long storeId;
  private final LogStart start;
  private final List<MappedFile> freeWal = new ArrayList<>();
  private final List<MappedFile> freeValues = new ArrayList<>();
  private final Map<Integer, Segment> walByGeneration = new HashMap<>();
  private final Map<Integer, Segment> valuesByGeneration = new HashMap<>();
  private final long end;
  private int lastGeneration;
  private int nextWal = 1;
  private int nextValue = 1;
  private long droppedBytes;

  /** The end of the most recent merge; null before the first one. */
  private @Nullable Stop stop;

  /**
   * The place of a missing record: an offset in one segment of a generation, or in the other one.
   */
  private record Stop(String file, int offset, String otherFile, int otherOffset) {}

  private record Segment(MappedFile file, SegmentLayout head) {}

  private record Pair(SegmentLayout head, MappedFile wal, MappedFile values) {
    long base() {
      return head.baseSeqno();
    }
  }

  private LogRecovery(StoreDirectory directory, long storeId, LogStart start, long end) {
    this.end = end;
    this.directory = directory;
    this.storeId = storeId;
    this.start = start;
  }

  /**
   * Reads the log.
   *
   * @param start where to begin
   * @param visitor receives the entries
   * @throws CorruptionException if durable records of the log or of the manifest are damaged or
   *     missing
   */
  public static RecoveredLog read(
      StoreDirectory directory, long storeId, LogStart start, RecoveredLog.Visitor visitor) {
    return read(directory, storeId, start, TO_THE_END, visitor);
  }

  /**
   * Reads the log up to a given end. The record at the end is blanked, durably. So later recoveries
   * end there too: neither that record nor a later one can return.
   *
   * @param end seqno of the first record that must not remain in the history
   */
  public static RecoveredLog read(
      StoreDirectory directory,
      long storeId,
      LogStart start,
      long end,
      RecoveredLog.Visitor visitor) {
    LogRecovery recovery = new LogRecovery(directory, storeId, start, end);
    try {
      return MappedFaults.using(directory.path(), () -> {
        recovery.openSegments();
        recovery.copyUntrusted();
        return recovery.replay(visitor);
      });
    } catch (RuntimeException | Error e) {
      recovery.closeAll();
      throw e;
    }
  }

  private void openSegments() {
    for (String name : directory.list()) {
      StoreFileName parsed = StoreFileName.parse(name).orElse(null);
      if (parsed == null) {
        continue;
      }
      if (parsed.type() == StoreFileName.Type.WRITE_AHEAD_LOG) {
        int number = segmentNumber(name, parsed);
        nextWal = Math.max(nextWal, number + 1);
        open(name, FileHeader.Kind.WRITE_AHEAD_LOG, number, walByGeneration, freeWal);
      } else if (parsed.type() == StoreFileName.Type.VALUE_LOG) {
        int number = segmentNumber(name, parsed);
        nextValue = Math.max(nextValue, number + 1);
        if (!start.sealedValueSegments().contains(number)) {
          open(name, FileHeader.Kind.VALUE_LOG, number, valuesByGeneration, freeValues);
        }
      }
    }
  }

  /**
   * Replaces the segments of generations that may not be durable by copies. After a store was
   * closed, its generations take no more records. So a generation that began before that is durable
   * as a whole.
   */
  private void copyUntrusted() {
    boolean hasCopied = false;
    for (Segment wal : List.copyOf(walByGeneration.values())) {
      int generation = wal.head.generation();
      Segment values = valuesByGeneration.get(generation);
      boolean isTrusted = wal.head.baseSeqno() < start.trustedSeqno();
      if (values != null && !isTrusted && (hasRecords(wal) || hasRecords(values))) {
        walByGeneration.put(generation, copy(wal, FileHeader.Kind.WRITE_AHEAD_LOG, freeWal));
        valuesByGeneration.put(generation, copy(values, FileHeader.Kind.VALUE_LOG, freeValues));
        hasCopied = true;
      }
    }
    if (hasCopied) {
      directory.syncDirectory();
    }
  }

  private static boolean hasRecords(Segment segment) {
    return usedBytes(segment) > SegmentLayout.BYTES;
  }

  private Segment copy(Segment segment, FileHeader.Kind kind, List<MappedFile> free) {
    MappedFile original = segment.file;
    directory.replaceByCopy(original, usedBytes(segment), StoreFileName.SEGMENT_TEMPORARY);
    free.remove(original);
    original.close();
    MappedFile copy = open(original.name(), free);
    int number = SegmentFiles.numberOf(copy);
    return new Segment(copy, SegmentLayout.read(copy.memory(), copy.name(), kind, storeId, number));
  }

  private static int segmentNumber(String name, StoreFileName parsed) {
    if (parsed.number() > SEGMENT_NUMBER_MAX) {
      throw new FormatVersionException(
          name, "the segment number is too large; the largest is " + SEGMENT_NUMBER_MAX);
    }
    return (int) parsed.number();
  }

  private void open(
      String name,
      FileHeader.Kind kind,
      int number,
      Map<Integer, Segment> byGeneration,
      List<MappedFile> free) {
    MappedFile file = open(name, free);
    SegmentLayout head = head(file, kind, number);
    if (head == null || !isNeeded(head)) {
      return;
    }
    file.advise(Advice.WILL_NEED, 0, file.length());
    byGeneration.merge(head.generation(), new Segment(file, head), LogRecovery::later);
  }

  /**
   * Of two segments of the same generation, returns the one that was begun under a later manifest.
   * An earlier opening deleted the other one, but failed to force the directory. After a power loss
   * the deleted segment is back, although later forces succeeded.
   */
  private static Segment later(Segment one, Segment other) {
    ManifestPosition position = one.head.manifest();
    if (position.equals(other.head.manifest())) {
      throw new CorruptionException(
          other.file.name(),
          FileHeader.BYTES,
          "the segment has the same generation as " + one.file.name());
    }
    return position.isPast(other.head.manifest()) ? one : other;
  }

  private MappedFile open(String name, List<MappedFile> free) {
    MappedFile file = directory.openMapped(name);
    free.add(file);
    SegmentFiles.keepInPages(file); // it may be written again, and reads of values are random
    return file;
  }

  /** Reads the head of a segment; null if it was never used. */
  private @Nullable SegmentLayout head(MappedFile file, FileHeader.Kind kind, int number) {
    if (file.length() < SegmentLayout.BYTES) {
      return null;
    }
    if (SegmentLayout.isUnused(file.memory())) {
      return null;
    }
    SegmentLayout head = SegmentLayout.read(file.memory(), file.name(), kind, storeId, number);
    if (head.manifest().isPast(start.manifest())) {
      throw new CorruptionException(
          StoreFileName.manifest(head.manifest().manifest()),
          0,
          head.manifest()
              + " were durable according to "
              + file.name()
              + ", but only "
              + start.manifest()
              + " were found");
    }
    lastGeneration = Math.max(lastGeneration, head.generation());
    return head;
  }

  /**
   * Returns whether a segment may hold records that are not in tables. Segments of sorted values do
   * not. Their relocation did not finish, since the manifest does not know them; the values are
   * still in their old places.
   */
  private boolean isNeeded(SegmentLayout head) {
    return !head.isSorted()
        && head.generation() >= start.firstGeneration()
        && head.baseSeqno() >= start.flushedSeqno();
  }

  /** Returns the end of the records, or the file's length if any byte after them is not zero. */
  private static int usedBytes(Segment segment) {
    MappedFile file = segment.file;
    SegmentScanner records = new SegmentScanner(file, segment.head.baseSeqno());
    while (records.isValid()) {
      records.next();
    }
    ByteBuffer memory = file.memory();
    for (int at = records.offset(); at <= file.length() - Long.BYTES; at += Long.BYTES) {
      if (memory.getLong(at) != 0) {
        return file.length();
      }
    }
    return records.offset();
  }

  /**
   * Returns the generations with both heads, in order. A generation with only one head has no
   * records.
   */
  private List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (Segment wal : walByGeneration.values()) {
      Segment values = valuesByGeneration.get(wal.head.generation());
      if (values != null && values.head.equals(wal.head)) {
        pairs.add(new Pair(wal.head, wal.file, values.file));
      }
    }
    pairs.sort(Comparator.comparingInt(pair -> pair.head.generation()));
    return pairs;
  }

  private RecoveredLog replay(RecoveredLog.Visitor visitor) {
    List<Pair> pairs = pairs();
    List<LogGeneration> generations = new ArrayList<>();
    long expected = start.flushedSeqno();
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      if (pair.base() != expected) {
        droppedBytes += dropped(pair, expected);
        continue;
      }
      LogGeneration generation = replay(pair, laterBases(pairs, i), visitor, generations);
      expected = generation.endSeqno();
    }
    Set<Integer> paired = new HashSet<>();
    pairs.forEach(pair -> paired.add(pair.head.generation()));
    droppedBytes += droppedAlone(walByGeneration, paired, expected);
    droppedBytes += droppedAlone(valuesByGeneration, paired, expected);
    checkDurable(expected);
    return new RecoveredLog(
        generations,
        expected,
        lastGeneration,
        new RecoveredLog.Stream(freeWal, nextWal),
        new RecoveredLog.Stream(freeValues, nextValue),
        droppedBytes);
  }

  private void checkDurable(long end) {
    if (end < start.durableSeqno()) {
      throw lost(
          end,
          "the manifest says that everything below " + start.durableSeqno() + " was durable",
          new Stop(StoreFileName.writeAheadLog(1), 0, StoreFileName.valueLog(1), 0));
    }
  }

  /**
   * Returns the error for durable records that are missing. It names each file that may have held
   * them.
   *
   * @param promise the statement that the records were durable
   * @param unknown the place to name if no better one is known
   */
  private CorruptionException lost(long end, String promise, Stop unknown) {
    String problem = "the log can be read only up to " + end + "; " + promise;
    Segment wal = unpairedAt(end, walByGeneration, valuesByGeneration);
    Segment values = unpairedAt(end, valuesByGeneration, walByGeneration);
    if (wal != null) {
      return unpaired(wal, freeValues, problem);
    }
    if (values != null) {
      return unpaired(values, freeWal, problem);
    }
    Stop place = stop == null ? unknown : stop;
    return new CorruptionException(
        place.file,
        place.offset,
        problem
            + "; the next record is missing there and in "
            + place.otherFile
            + " at offset "
            + place.otherOffset);
  }

  /**
   * Returns the segment that begins at a seqno and has no partner in its generation; null if none
   * does.
   */
  private static @Nullable Segment unpairedAt(
      long seqno, Map<Integer, Segment> segments, Map<Integer, Segment> others) {
    for (Segment segment : segments.values()) {
      Segment other = others.get(segment.head.generation());
      boolean isPaired = other != null && other.head.equals(segment.head);
      if (segment.head.baseSeqno() == seqno && !isPaired) {
        return segment;
      }
    }
    return null;
  }

  /** Returns the error for a generation in which one segment looks like a spare one. */
  private static CorruptionException unpaired(
      Segment segment, List<MappedFile> others, String problem) {
    List<String> names = others.stream()
        .map(MappedFile::name)
        .filter(name -> !name.equals(segment.file.name()))
        .toList();
    String file = names.size() == 1 ? names.get(0) : segment.file.name();
    return new CorruptionException(
        file,
        0,
        problem
            + "; "
            + segment.file.name()
            + " begins at this seqno, but the other segment of its generation is missing or has"
            + " lost its head"
            + (names.isEmpty() ? "" : "; it may be one of " + names));
  }

  /**
   * Returns the base seqnos of later generations. A generation ends where one of these is reached.
   */
  private static Set<Long> laterBases(List<Pair> pairs, int index) {
    Set<Long> bases = new HashSet<>();
    for (int i = index + 1; i < pairs.size(); i++) {
      bases.add(pairs.get(i).base());
    }
    return bases;
  }

  private LogGeneration replay(
      Pair pair, Set<Long> laterBases, RecoveredLog.Visitor visitor, List<LogGeneration> found) {
    SegmentScanner wal = new SegmentScanner(pair.wal, pair.base());
    SegmentScanner values = new SegmentScanner(pair.values, pair.base());
    LogGeneration generation = LogGeneration.recovered(pair.head, pair.wal, pair.values);
    long expected = pair.base();
    while (!laterBases.contains(expected) && expected < end) {
      SegmentScanner next = at(wal, expected) ? wal : at(values, expected) ? values : null;
      if (next == null) {
        break;
      }
      if (expected == pair.base()) {
        visitor.generation(generation);
      }
      visit(next, next == values, generation, visitor);
      expected += next.units();
      next.next();
    }
    int walEnd = wal.offset();
    int valuesEnd = values.offset();
    generation.endAt(walEnd, valuesEnd);
    SegmentScanner missing = missing(wal, values);
    SegmentScanner other = missing == wal ? values : wal;
    stop = new Stop(missing.file().name(), missing.offset(), other.file().name(), other.offset());
    if (!laterBases.contains(expected)) {
      droppedBytes += dropped(wal, expected) + dropped(values, expected);
    }
    if (expected >= end) {
      MappedFaults.check(); // an unreadable record must not count as the end of the log
      // The first dropped record is at the end of one segment. The other segment has a later record
      // there, or nothing valid.
      blank(pair.wal, walEnd);
      blank(pair.values, valuesEnd);
    }
    keep(generation, found);
    return generation;
  }

  /** Returns the segment that most likely should hold the next record. */
  private static SegmentScanner missing(SegmentScanner wal, SegmentScanner values) {
    if (wal.isValid() || values.isValid()) {
      return wal.isValid() ? values : wal; // the valid one continues at a later seqno
    }
    return values.isDamaged() && !wal.isDamaged() ? values : wal;
  }

  private static void blank(MappedFile segment, int offset) {
    int length = Math.min(RecordLayout.HEADER, segment.length() - offset);
    if (length > 0) {
      segment.memory().put(offset, new byte[length]);
      segment.force(offset, length);
    }
  }

  private void keep(LogGeneration generation, List<LogGeneration> found) {
    if (generation.endSeqno() > generation.baseSeqno()) {
      found.add(generation);
      // Both segments stay unchanged until the generation is flushed. This includes an empty value
      // segment: without its head, recovery would not find the generation again.
      freeWal.remove(generation.file(false));
      freeValues.remove(generation.file(true));
    }
  }

  private static boolean at(SegmentScanner scanner, long seqno) {
    return scanner.isValid() && scanner.seqno() == seqno;
  }

  private static void visit(
      SegmentScanner record,
      boolean inValueLog,
      LogGeneration generation,
      RecoveredLog.Visitor visitor) {
    int offset = record.offset();
    switch (record.kind()) {
      case RecordLayout.PUT, RecordLayout.DELETE ->
        visitor.entry(RecordLayout.location(inValueLog, false, offset), record.seqno());
      case RecordLayout.BATCH -> {
        PartHeader part = record.partHeader();
        if (part != null) {
          generation.hasPart(part.gsn());
          visitor.part(part, record.seqno());
        }
        visitBatch(record, inValueLog, visitor);
      }
      default -> {
        // A void record occupies its seqnos and has no content.
      }
    }
  }

  private static void visitBatch(
      SegmentScanner record, boolean inValueLog, RecoveredLog.Visitor visitor) {
    ByteBuffer segment = record.file().memory();
    int body =
        record.offset() + RecordLayout.bodyStart(RecordLayout.kindByte(segment, record.offset()));
    int count = LittleEndian.getMappedInt(segment, body);
    int at = record.firstOperation();
    for (int i = 0; i < count; i++) {
      visitor.entry(RecordLayout.location(inValueLog, true, at), record.seqno() + i);
      at = RecordLayout.nextOperation(segment, at);
    }
  }

  /**
   * Returns the bytes of valid records in segments whose generation has lost the other segment's
   * head.
   */
  private long droppedAlone(Map<Integer, Segment> segments, Set<Integer> paired, long end) {
    long bytes = 0;
    for (Segment segment : segments.values()) {
      if (!paired.contains(segment.head.generation())) {
        bytes += dropped(new SegmentScanner(segment.file, segment.head.baseSeqno()), end);
      }
    }
    return bytes;
  }

  private long dropped(Pair pair, long end) {
    return dropped(new SegmentScanner(pair.wal, pair.base()), end)
        + dropped(new SegmentScanner(pair.values, pair.base()), end);
  }

  /**
   * Returns the bytes of the valid records from the scanner's position on, skipping damage. Throws
   * if a record promises that a missing one was durable.
   */
  private long dropped(SegmentScanner scanner, long end) {
    long bytes = 0;
    for (; scanner.isValid() || scanner.findNext(); scanner.next()) {
      if (scanner.promise() > end) {
        String promising = scanner.file().name();
        throw lost(
            end,
            "the record with seqno "
                + scanner.seqno()
                + " in "
                + promising
                + " at offset "
                + scanner.offset()
                + " says that everything below "
                + scanner.promise()
                + " was durable",
            new Stop(promising, scanner.offset(), promising, scanner.offset()));
      }
      bytes += (long) scanner.units() * RecordLayout.UNIT;
    }
    return bytes;
  }

  private void closeAll() {
    freeWal.forEach(MappedFile::close);
    freeValues.forEach(MappedFile::close);
    walByGeneration.values().forEach(segment -> segment.file.close());
    valuesByGeneration.values().forEach(segment -> segment.file.close());
  }
}
