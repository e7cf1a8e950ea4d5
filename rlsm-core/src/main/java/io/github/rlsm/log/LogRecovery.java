// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.base.PartMark;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.FreshCopy;
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
 * Reads the log after a restart: segments in, {@link RecoveredLog} out. The log stays the same,
 * unless recovery is told where to end it.
 *
 * <p>The bytes read may be in the page cache only, even if every later force succeeds: after a
 * failed write, Linux keeps the page and marks it clean. So a segment that may not be durable is
 * first {@linkplain FreshCopy copied} to a new file, which takes its name when it is durable.
 *
 * <p>The generations are walked in the order of their numbers, both streams of each merged by
 * seqno, expecting every record exactly where the one before it ended. What ends the walk:
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
 * <p>C is what a crash leaves: records of writers that were overtaken, never acknowledged, or after
 * power loss acknowledged below {@code SYNC}. D is damage: a record written by a {@code SYNC} write
 * says up to where the log had been forced before, and something before that is gone. The manifest
 * says the same of a store that was closed.
 *
 * <p>Before any of this: a head that speaks of more manifest records than were read is proof that
 * the manifest has lost some, and so of a wrong place to begin at.
 */
public final class LogRecovery {

  /** An end that leaves nothing out. */
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

  /** The end of the walk that came furthest; null before the first walk. */
  private @Nullable Stop stop;

  /** Where the next record is missing: in one segment of a generation, or in the other. */
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
   * @throws CorruptionException if records that were durable, of the log or of the manifest, are
   *     damaged or gone
   */
  public static RecoveredLog read(
      StoreDirectory directory, long storeId, LogStart start, RecordVisitor visitor) {
    return read(directory, storeId, start, TO_THE_END, visitor);
  }

  /**
   * As before, but for what is to be left out. The record that the history ends before is blanked,
   * durably, so that it never comes back, nor what stands behind it: from then on it is one that is
   * missing.
   *
   * @param end seqno of the first record that is not to be part of the history any more
   */
  public static RecoveredLog read(
      StoreDirectory directory, long storeId, LogStart start, long end, RecordVisitor visitor) {
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
        open(name, FileKind.WRITE_AHEAD_LOG, number, walByGeneration, freeWal);
      } else if (parsed.type() == StoreFileName.Type.VALUE_LOG) {
        int number = segmentNumber(name, parsed);
        nextValue = Math.max(nextValue, number + 1);
        if (!start.sealedValueSegments().contains(number)) {
          open(name, FileKind.VALUE_LOG, number, valuesByGeneration, freeValues);
        }
      }
    }
  }

  /**
   * Replaces the segments of generations that may not be durable by copies. A generation takes no
   * records after the store was closed, so it is durable as a whole if it began before that.
   */
  private void copyUntrusted() {
    boolean hasCopied = false;
    for (Segment wal : List.copyOf(walByGeneration.values())) {
      int generation = wal.head.generation();
      Segment values = valuesByGeneration.get(generation);
      boolean isTrusted = wal.head.baseSeqno() < start.trustedSeqno();
      if (values != null && !isTrusted && (hasRecords(wal) || hasRecords(values))) {
        walByGeneration.put(generation, copy(wal, FileKind.WRITE_AHEAD_LOG, freeWal));
        valuesByGeneration.put(generation, copy(values, FileKind.VALUE_LOG, freeValues));
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

  private Segment copy(Segment segment, FileKind kind, List<MappedFile> free) {
    MappedFile original = segment.file;
    FreshCopy.replace(directory, original, usedBytes(segment), StoreFileName.SEGMENT_TEMPORARY);
    free.remove(original);
    original.close();
    MappedFile copy = open(original.name(), free);
    int number = SegmentFiles.numberOf(copy);
    return new Segment(copy, SegmentLayout.read(copy.memory(), copy.name(), kind, storeId, number));
  }

  private static int segmentNumber(String name, StoreFileName parsed) {
    if (parsed.number() > SEGMENT_NUMBER_MAX) {
      throw new FormatVersionException(name, "no segment of this store has so large a number");
    }
    return (int) parsed.number();
  }

  private void open(
      String name,
      FileKind kind,
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
   * Of two segments that claim the same generation, the one that was begun under a later manifest.
   * The other was deleted at an earlier opening, whose force of the directory failed: after a power
   * loss it is back, although later forces have succeeded.
   */
  private static Segment later(Segment one, Segment other) {
    ManifestMark mark = one.head.manifest();
    if (mark.equals(other.head.manifest())) {
      throw new CorruptionException(
          other.file.name(), FileHeader.BYTES, "claims the same generation as " + one.file.name());
    }
    return mark.isPast(other.head.manifest()) ? one : other;
  }

  private MappedFile open(String name, List<MappedFile> free) {
    MappedFile file = directory.openMapped(name);
    free.add(file);
    SegmentPool.keepInPages(file); // it may be used again
    return file;
  }

  /** The head of a segment; null if it was never used. */
  private @Nullable SegmentLayout head(MappedFile file, FileKind kind, int number) {
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
              + " were durable, as "
              + file.name()
              + " says, but there are only "
              + start.manifest());
    }
    lastGeneration = Math.max(lastGeneration, head.generation());
    return head;
  }

  /**
   * Whether a segment may hold records that are not in tables. Moved values do not count: their
   * collection did not end, and the values are still in their old places.
   */
  private boolean isNeeded(SegmentLayout head) {
    return head.generation() != SegmentLayout.NO_GENERATION
        && head.generation() >= start.firstGeneration()
        && head.baseSeqno() >= start.flushedSeqno();
  }

  /** Bytes up to the end of the records, or all of them if there are others than zeros behind. */
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

  /** The generations of which both heads are there, in order; a lone head precedes any record. */
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

  private RecoveredLog replay(RecordVisitor visitor) {
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
        freeWal,
        freeValues,
        nextWal,
        nextValue,
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
   * Returns the error for records that were durable and are gone. It names each file that may have
   * held them.
   *
   * @param promise who says that it was durable
   * @param unknown where it may be if nothing else tells
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
            + "; the next record is neither there nor in "
            + place.otherFile
            + " at offset "
            + place.otherOffset);
  }

  /** The segment that begins at a seqno and lacks the other one of its generation, if any. */
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

  /** A generation of which one segment cannot be told from a spare one. */
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
            + " begins there, but the other segment of its generation is missing or has lost its"
            + " head"
            + (names.isEmpty() ? "" : "; it may be one of " + names));
  }

  /** Where later generations begin: reaching one of these ends the generation before it. */
  private static Set<Long> laterBases(List<Pair> pairs, int index) {
    Set<Long> bases = new HashSet<>();
    for (int i = index + 1; i < pairs.size(); i++) {
      bases.add(pairs.get(i).base());
    }
    return bases;
  }

  private LogGeneration replay(
      Pair pair, Set<Long> laterBases, RecordVisitor visitor, List<LogGeneration> found) {
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
      MappedFaults.check(); // what could not be read must not be taken for the end
      // It is the next record of one of them; of the other, it comes later or is void already.
      blank(pair.wal, walEnd);
      blank(pair.values, valuesEnd);
    }
    keep(generation, found);
    return generation;
  }

  /** Returns the segment of a generation that most likely should hold the next record. */
  private static SegmentScanner missing(SegmentScanner wal, SegmentScanner values) {
    if (wal.isValid() || values.isValid()) {
      return wal.isValid() ? values : wal; // the other one goes on, at a later seqno
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
      // Both stay as they are until the generation is flushed, the value segment even if it is
      // empty:
      // without its head the generation would not be found again.
      freeWal.remove(generation.file(false));
      freeValues.remove(generation.file(true));
    }
  }

  private static boolean at(SegmentScanner scanner, long seqno) {
    return scanner.isValid() && scanner.seqno() == seqno;
  }

  private static void visit(
      SegmentScanner record, boolean inValueLog, LogGeneration generation, RecordVisitor visitor) {
    int offset = record.offset();
    switch (record.kind()) {
      case RecordLayout.PUT, RecordLayout.DELETE ->
        visitor.entry(RecordLayout.location(inValueLog, false, offset), record.seqno());
      case RecordLayout.BATCH -> {
        PartMark mark = record.mark();
        if (mark != null) {
          generation.hasPart(mark.gsn());
          visitor.part(mark, record.seqno());
        }
        visitBatch(record, inValueLog, visitor);
      }
      default -> {
        // A void record: it takes its seqnos and says nothing.
      }
    }
  }

  private static void visitBatch(SegmentScanner record, boolean inValueLog, RecordVisitor visitor) {
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

  /** What segments hold whose generation has lost its other segment's head. */
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
   * Bytes of the valid records from here on, be there damage between them. None may promise what is
   * missing.
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
