// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.rlsm.base.EntryView;
import io.github.rlsm.io.SimulatedDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A log in a simulated directory, written as the engine writes it. It keeps its content in
 * {@link #history}, one element for each record, including void ones.
 */
public final class LogFixture implements AutoCloseable {

  public static final long STORE_ID = 0x1122334455667788L;
  public static final int SEGMENT_BYTES = 4096;

  /** The manifest position in the headers of the segments. */
  public static final ManifestPosition MANIFEST = new ManifestPosition(0x99, 0x77);

  /** No promise. */
  public static final long NOTHING = -1;

  public final SimulatedDirectory directory;
  public final RecordEncoder encoder = new RecordEncoder();

  /** The content of the records written so far, in the notation of {@link Replay}. */
  public final List<List<String>> history = new ArrayList<>();

  /** The place of each record of {@link #history}. */
  public final List<Place> places = new ArrayList<>();

  /**
   * The place of a record.
   *
   * @param base the first seqno of its generation
   * @param length bytes that its checksum covers
   * @param units bytes that it takes, in units
   */
  public record Place(
      String file, long base, long seqno, int offset, int length, int units, long promise) {}

  public SegmentFiles segments;
  public LogGeneration generation;
  public RecoveredLog recovered;
  private int salt = 0x5A17;

  public LogFixture(SimulatedDirectory directory) {
    this(directory, 0, 1);
  }

  /** Recovers the log in the directory, and begins a generation behind it. */
  public LogFixture(SimulatedDirectory directory, long flushedSeqno, int firstGeneration) {
    this.directory = directory;
    recovered =
        LogRecovery.read(directory, STORE_ID, start(flushedSeqno, firstGeneration), new Replay());
    salt += 1000 * recovered.lastGeneration();
    segments = new SegmentFiles(
        directory,
        new SegmentLayout.Heads(STORE_ID, () -> salt++, () -> MANIFEST),
        SEGMENT_BYTES,
        recovered,
        1,
        firstGeneration);
    generation = segments.begin(recovered.endSeqno(), 0, 0);
  }

  public LogFixture put(boolean inValueLog, String key, String value, long promise) {
    long seqno = generation.endSeqno();
    encodePut(key, value, promise);
    store(inValueLog, promise);
    history.add(List.of(seqno + " put " + key + "=" + value));
    return this;
  }

  public LogFixture delete(String key, long promise) {
    long seqno = generation.endSeqno();
    encoder.delete(bytes(key), key.length(), promise);
    store(false, promise);
    history.add(List.of(seqno + " delete " + key));
    return this;
  }

  public LogFixture voidPut(boolean inValueLog, String key, String value) {
    encodePut(key, value, NOTHING);
    encoder.setVoid(true, false);
    store(inValueLog, NOTHING);
    history.add(List.of());
    return this;
  }

  /** Writes a batch of puts ({@code key=value}) and deletes ({@code key}). */
  public LogFixture batch(boolean inValueLog, long promise, String... operations) {
    long seqno = generation.endSeqno();
    encodeBatch(encoder, promise, operations);
    store(inValueLog, promise);
    List<String> said = new ArrayList<>();
    for (String operation : operations) {
      String verb = operation.contains("=") ? " put " : " delete ";
      said.add(seqno + said.size() + verb + operation);
    }
    history.add(said);
    return this;
  }

  public static void encodeBatch(RecordEncoder encoder, long promise, String... operations) {
    encoder.beginBatch(operations.length, promise, null);
    for (String operation : operations) {
      byte[] source = bytes(operation);
      int equals = operation.indexOf('=');
      int keyLength = equals < 0 ? source.length : equals;
      int valueLength = equals < 0 ? -1 : source.length - equals - 1;
      byte[] keyHead = {source[0]};
      encoder.addToBatch(keyHead, source, 1, keyLength - 1, equals + 1, valueLength);
    }
    encoder.finishBatch();
  }

  /** Reserves the place of a record and leaves it unfilled. */
  public LogFixture hole(boolean inValueLog, int units) {
    generation.reserve(inValueLog, units);
    return this;
  }

  /** Seals the generation and continues in the next. */
  public LogFixture next() {
    generation.seal();
    generation = segments.begin(generation.endSeqno(), 0, 0);
    return this;
  }

  /** Seals the generation, and returns the next one, with a value segment of this length. */
  LogGeneration nextOf(int valueBytes) {
    generation.seal();
    generation = segments.begin(generation.endSeqno(), 0, valueBytes);
    return generation;
  }

  private void encodePut(String key, String value, long promise) {
    encoder.put(bytes(key), key.length(), bytes(value), 0, value.length(), promise);
  }

  /** Writes an encoded record into its place, as the engine does. */
  public static void write(
      RecordEncoder encoder, LogGeneration generation, boolean inValueLog, long reservation) {
    RecordWriter writer = new RecordWriter();
    writer.ensure(encoder.units(), false);
    writer.write(generation, inValueLog, reservation, 0, encoder);
  }

  private void store(boolean inValueLog, long promise) {
    long reservation = generation.reserve(inValueLog, encoder.units());
    int offset = LogGeneration.offset(reservation, inValueLog);
    write(encoder, generation, inValueLog, reservation);
    places.add(new Place(
        generation.file(inValueLog).name(),
        generation.baseSeqno(),
        generation.seqno(reservation),
        offset,
        RecordLayout.length(generation.segment(inValueLog), offset),
        encoder.units(),
        promise));
    encoder.release();
  }

  /** The content of all records in {@link #history}. */
  public List<String> said() {
    return said(history.size());
  }

  /** The content of the first records of {@link #history}. */
  public List<String> said(int records) {
    return history.subList(0, records).stream().flatMap(List::stream).toList();
  }

  /** Whether the entries are the content of a prefix of {@link #history}. */
  public boolean isPrefix(List<String> entries) {
    for (int records = 0; records <= history.size(); records++) {
      if (entries.equals(said(records))) {
        return true;
      }
    }
    return false;
  }

  public static Replay replay(SimulatedDirectory directory) {
    return replay(directory, 0, 1);
  }

  /** Recovers, closes everything, and returns the entries found. */
  public static Replay replay(
      SimulatedDirectory directory, long flushedSeqno, int firstGeneration) {
    Replay replay = new Replay();
    RecoveredLog log =
        LogRecovery.read(directory, STORE_ID, start(flushedSeqno, firstGeneration), replay);
    replay.endSeqno = log.endSeqno();
    replay.droppedBytes = log.droppedBytes();
    replay.generations = log.generations().size();
    log.close();
    return replay;
  }

  /** Returns the start of a recovery whose manifest is complete. */
  public static LogStart start(long flushedSeqno, int firstGeneration) {
    return new LogStart(flushedSeqno, firstGeneration, 0, 0, Set.of(), MANIFEST);
  }

  /** Returns the bytes of memory that an encoder retains for the next records. */
  public static int heldBytes(RecordEncoder encoder) {
    return encoder.heldBytes();
  }

  /** Returns the seqno of the single record without a promise that a lookup found. */
  public static long seqno(EntryView found, int keyLength) {
    int keyOffset = found.valueOffset() - keyLength;
    int record = keyOffset - RecordLayout.KEY_LENGTH - RecordLayout.HEADER;
    return RecordLayout.seqno(found.buffer(), record);
  }

  public static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  @Override
  public void close() {
    generation.file(false).close();
    generation.file(true).close();
    recovered.close();
    segments.close();
  }
}
