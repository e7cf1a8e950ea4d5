// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.RunsHBase;
import io.github.rlsm.hbase.values.ValueReferenceTag;
import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Walks through HFiles with several versions of rows, and with an index of two levels. */
@RunsHBase
class ValueWalkTest {

  private static final byte[] FAMILY = {'f'};
  private static final int ROWS = 3_000;
  private static final int VERSIONS_MAX = 3;
  private static final int VALUE_BYTES_MAX = 2_000;
  private static final int BLOCK_BYTES = 1_024;
  private static final int READ_MAX = 20_000;
  private static final int FLIPS = 1_000;

  @TempDir
  private Path folder;

  private final Random random = new Random(1);
  private final Configuration conf = new Configuration(false);
  private final List<Runnable> stops = new ArrayList<>();

  /** A cell of the file, and what names it. */
  private record Value(KeyValue cell, ExtendedCell shadow, Pointer pointer) {}

  private List<Value> values(boolean withTags) {
    List<Value> values = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] row = Bytes.toBytes(String.format(Locale.ROOT, "r%05d", i));
      for (int version = random.nextInt(VERSIONS_MAX); version >= 0; version--) {
        byte[] value = new byte[random.nextInt(VALUE_BYTES_MAX)];
        random.nextBytes(value);
        Tag[] tags = withTags && random.nextBoolean()
            ? new Tag[] {new ArrayBackedTag((byte) 100, "a tag")}
            : null;
        KeyValue cell = new KeyValue(row, FAMILY, row, 1, value, tags);
        cell.setSequenceId(1 + version * 1_000L);
        values.add(valueOf(cell));
      }
    }
    return values;
  }

  private static Value valueOf(KeyValue cell) {
    CRC32C crc = new CRC32C();
    crc.update(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    Pointer pointer =
        new Pointer(0, cell.getValueLength(), cell.getSequenceId(), 0, (int) crc.getValue());
    return new Value(cell, (ExtendedCell) ValueReferenceTag.shadowOf(cell, pointer), pointer);
  }

  private HFile.Reader write(List<Value> values, boolean withTags, CacheConfig cache)
      throws IOException {
    org.apache.hadoop.fs.Path path =
        new org.apache.hadoop.fs.Path(folder.resolve("file").toUri());
    FileSystem files = FileSystem.getLocal(conf).getRaw();
    conf.setInt("hfile.index.block.max.size", BLOCK_BYTES);
    HFileContext format = new HFileContextBuilder()
        .withBlockSize(BLOCK_BYTES)
        .withIncludesMvcc(true)
        .withIncludesTags(withTags)
        .build();
    try (HFile.Writer writer = HFile.getWriterFactoryNoCache(conf)
        .withPath(files, path)
        .withFileContext(format)
        .create()) {
      for (Value value : values) {
        writer.append(value.cell());
      }
    }
    HFile.Reader reader = HFile.createReader(files, path, cache, true, conf);
    assertThat(reader.getTrailer().getNumDataIndexLevels()).isGreaterThan(1);
    return reader;
  }

  /** Creates a cache, which is stopped after the test. */
  private LruBlockCache memory(long bytes) {
    LruBlockCache created = new LruBlockCache(bytes, BLOCK_BYTES);
    stops.add(created::shutdown);
    return created;
  }

  @AfterEach
  void stop() {
    stops.forEach(Runnable::run);
  }

  private ValueIndex index(HFile.Reader file, CacheConfig cache) throws IOException {
    return new ValueIndex(file, ahead(new MemoryFile(new byte[0]), file), cache, conf);
  }

  private ValueWalk walk(HFile.Reader file, CacheConfig cache, MemoryFile bytes)
      throws IOException {
    return walk(file, index(file, cache), bytes);
  }

  private static ValueWalk walk(HFile.Reader file, ValueIndex index, MemoryFile bytes) {
    ReadAhead window = ahead(bytes, file);
    return new ValueWalk(
        new ValueBlocks(index, window, true),
        window,
        file.getTrailer().getLastDataBlockOffset(),
        file.getFileContext());
  }

  private MemoryFile bytes() throws IOException {
    return new MemoryFile(Files.readAllBytes(folder.resolve("file")));
  }

  private static ReadAhead ahead(MemoryFile bytes, HFile.Reader file) {
    return new ReadAhead(bytes, file.length(), 0, READ_MAX);
  }

  private static void verifyFound(ValueWalk walk, Value value) throws IOException {
    KeyValue found = walk.find(value.shadow(), value.pointer());
    assertThat(found).as("%s", value.cell()).isNotNull();
    assertEqual(found, value);
  }

  private static void assertEqual(KeyValue found, Value value) {
    boolean isEqual = Bytes.equals(
        found.getBuffer(),
        found.getOffset(),
        found.getLength(),
        value.cell().getBuffer(),
        0,
        value.cell().getLength());
    assertThat(isEqual).as("%s", value.cell()).isTrue();
    assertThat(found.getSequenceId()).isEqualTo(value.pointer().sequenceId());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void findsEveryCellInOrder(boolean withTags) throws IOException {
    List<Value> values = values(withTags);
    CacheConfig none = CacheConfig.DISABLED;
    try (HFile.Reader file = write(values, withTags, none)) {
      MemoryFile bytes = bytes();
      ValueWalk walk = walk(file, none, bytes);
      for (Value value : values) {
        verifyFound(walk, value);
      }
      assertThat(bytes.requests).hasSizeLessThan((int) (file.length() / READ_MAX) * 3 / 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 20, 200})
  void findsCellsAcrossGaps(int gap) throws IOException {
    List<Value> values = values(false);
    CacheConfig none = CacheConfig.DISABLED;
    try (HFile.Reader file = write(values, false, none)) {
      ValueWalk walk = walk(file, none, bytes());
      for (int i = random.nextInt(gap); i < values.size(); i += 1 + random.nextInt(gap)) {
        verifyFound(walk, values.get(i));
      }
      Collections.shuffle(values, random);
      for (Value value : values.subList(0, ROWS / gap)) {
        verifyFound(walk, value);
      }
    }
  }

  @Test
  void findsNothingElse() throws IOException {
    List<Value> values = values(false);
    CacheConfig none = CacheConfig.DISABLED;
    Value removed = values.remove(values.size() / 2);
    try (HFile.Reader file = write(values, false, none)) {
      ValueWalk walk = walk(file, none, bytes());
      assertThat(walk.find(removed.shadow(), removed.pointer())).isNull();
      Value value = values.get(values.size() / 3);
      Pointer right = value.pointer();
      for (Pointer wrong : List.of(
          new Pointer(0, right.valueLength() + 1, right.sequenceId(), 0, right.checksum()),
          new Pointer(0, -1, right.sequenceId(), 0, right.checksum()),
          new Pointer(0, Integer.MAX_VALUE, right.sequenceId(), 0, right.checksum()),
          new Pointer(0, right.valueLength(), right.sequenceId() + 1, 0, right.checksum()),
          new Pointer(0, right.valueLength(), right.sequenceId(), 0, ~right.checksum()))) {
        assertThat(walk.find(value.shadow(), wrong)).as("%s", wrong).isNull();
        verifyFound(walk, value);
      }
      for (String row : List.of("a", "z")) {
        KeyValue other = new KeyValue(Bytes.toBytes(row), FAMILY, FAMILY, 1, FAMILY);
        assertThat(walk.find(other, right)).as(row).isNull();
      }
    }
  }

  @Test
  void blocksInTheCacheAreNotReadFromTheFile() throws IOException {
    List<Value> values = values(false);
    LruBlockCache memory = memory(1 << 24);
    CacheConfig cache = new CacheConfig(conf, null, memory, ByteBuffAllocator.HEAP);
    try (HFile.Reader file = write(values, false, cache)) {
      readAll(file);
      MemoryFile bytes = bytes();
      ValueWalk walk = walk(file, cache, bytes);
      for (Value value : values) {
        verifyFound(walk, value);
      }
      assertThat(bytes.requests).isEmpty();
    }
  }

  private static void readAll(HFile.Reader file) throws IOException {
    HFileScanner scanner = file.getScanner(new Configuration(false), true, true, false);
    for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
      assertThat(scanner.getCell()).isNotNull();
    }
    scanner.close();
  }

  /** A walk adds the same blocks as HBase's scanner. */
  @Test
  void aWalkFillsACacheThatHasRoom() throws IOException {
    List<Value> values = values(false);
    LruBlockCache memory = memory(1 << 24);
    CacheConfig cache = new CacheConfig(conf, null, memory, ByteBuffAllocator.HEAP);
    try (HFile.Reader file = write(values, false, cache)) {
      MemoryFile bytes = bytes();
      ValueWalk walk = walk(file, cache, bytes);
      for (Value value : values) {
        verifyFound(walk, value);
      }
      int requests = bytes.requests.size();
      assertThat(requests).isLessThan((int) (file.length() / READ_MAX) * 3 / 2);
      long added = memory.getDataBlockCount();
      readAll(file);
      // The last block of a window is not added if the window ends in it.
      assertThat(memory.getDataBlockCount() - added).isLessThanOrEqualTo(requests);
      assertThat(added).isGreaterThan(requests);
    }
  }

  /** A block would evict another one, so one walk of sixteen adds its blocks. */
  @Test
  void someWalksAddBlocksToAFullCache() throws IOException {
    List<Value> values = values(false);
    LruBlockCache memory = memory(1 << 17);
    CacheConfig cache = new CacheConfig(conf, null, memory, ByteBuffAllocator.HEAP);
    try (HFile.Reader file = write(values, false, cache)) {
      readAll(file);
      assertThat(memory.getFreeSize()).isLessThan(memory.getMaxSize() / 8);
      ValueIndex index = index(file, cache);
      int adding = 0;
      for (int i = 0; i < 80; i++) {
        adding += index.isAddedByNextWalk() ? 1 : 0;
      }
      assertThat(adding).isEqualTo(5);
    }
  }

  /** The index of an intact file tells where a block begins, and the block is damaged. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void damagedBytesAreNeverReturned(boolean withTags) throws IOException {
    List<Value> values = values(withTags);
    CacheConfig none = CacheConfig.DISABLED;
    try (HFile.Reader file = write(values, withTags, none)) {
      byte[] bytes = Files.readAllBytes(folder.resolve("file"));
      ValueIndex intact = index(file, none);
      int missed = 0;
      for (int i = 0; i < FLIPS; i++) {
        int first = random.nextInt(values.size() - 20);
        ValueIndex.Place place = intact.find(values.get(first).shadow());
        int at = (int) place.position() + random.nextInt(3 * BLOCK_BYTES);
        byte before = bytes[at];
        bytes[at] = random.nextBoolean() ? (byte) (before ^ 1 << random.nextInt(8)) : -1;
        ValueWalk walk = walk(file, intact, new MemoryFile(bytes));
        for (Value value : values.subList(first, first + 20)) {
          KeyValue found = walk.find(value.shadow(), value.pointer());
          if (found == null) {
            missed++;
          } else {
            assertEqual(found, value);
          }
        }
        bytes[at] = before;
      }
      assertThat(missed).isGreaterThan(FLIPS / 2);
    }
  }
}
