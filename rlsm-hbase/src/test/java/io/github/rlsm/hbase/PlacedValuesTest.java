// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.PartitionedStoreFile;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.values.KeyFileMark.ValueFile;
import io.github.rlsm.hbase.values.ValueFileException;
import io.github.rlsm.hbase.values.ValueReferenceTag;
import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of separated values at the offsets that shadows name. */
@RunsHBase
class PlacedValuesTest {

  private static final int COMPACTIONS_MAX = 300;
  private static final int ROWS = 400;
  private static final int FLUSHES = 20;
  private static final int VALUE_BYTES_MIN = 100;
  private static final int VALUE_BYTES_MAX = 9_000;
  private static final int ROWS_PER_SCAN = 50;
  private static final String[] COLUMNS = {"a", "column"};

  @TempDir
  private Path folder;

  private final Random random = new Random(1);

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
        .setBlocksize(4_096)
        .setMaxVersions(2);
  }

  private TestRegion region(String name, ColumnFamilyDescriptorBuilder family) throws IOException {
    return new TestRegion(
        folder,
        name,
        RlsmStoreEngine.class.getName(),
        family.build(),
        Map.of(
            StoreSettings.SEPARATED_BYTES,
            Integer.toString(VALUE_BYTES_MIN),
            StoreSettings.PARTITION_BYTES,
            "10000000",
            StoreSettings.VALUE_FILE_BYTES,
            "0"));
  }

  /** Flushes rows of all parts of the table, with large and small values. */
  private void load(TestRegion region) throws IOException {
    for (int flush = 0; flush < FLUSHES; flush++) {
      for (int i = flush; i < ROWS; i += FLUSHES) {
        Put put = new Put(row(i));
        for (String column : COLUMNS) {
          put.addColumn(TestRegion.FAMILY, Bytes.toBytes(column), value());
        }
        put.addColumn(TestRegion.FAMILY, Bytes.toBytes("small"), Bytes.toBytes(i));
        region.region().put(put);
      }
      region.region().flush(true);
    }
  }

  private byte[] value() {
    byte[] value = new byte[VALUE_BYTES_MIN + random.nextInt(VALUE_BYTES_MAX - VALUE_BYTES_MIN)];
    random.nextBytes(value);
    return value;
  }

  /** A shadow of a store, and the file that it names. */
  private record Shadow(ExtendedCell cell, Pointer pointer, PartitionedStoreFile file) {

    /** The value file's cell at an offset, if its value has a length and a checksum. */
    Cell at(int length, long offset, int checksum) throws IOException {
      return file.cellAt(
          cell, new Pointer(pointer.file(), length, pointer.sequenceId(), offset, checksum));
    }

    /** The value file's cell with the key and the sequence id of the shadow. */
    Cell byKey() throws IOException {
      HFileScanner cells = cells(file);
      for (boolean more = cells.seekTo(); more; more = cells.next()) {
        ExtendedCell found = (ExtendedCell) cells.getCell();
        if (CellUtil.equals(found, cell) && found.getSequenceId() == pointer.sequenceId()) {
          return KeyValueUtil.copyToNewKeyValue(found);
        }
      }
      throw new AssertionError("no cell " + cell + " in " + file);
    }
  }

  private static HFileScanner cells(HStoreFile file) {
    return file.getReader()
        .getHFileReader()
        .getScanner(new org.apache.hadoop.conf.Configuration(), false, true, false);
  }

  private static List<Shadow> shadows(TestRegion region) throws IOException {
    StoreFileSet files = region.fileSet();
    Map<String, PartitionedStoreFile> byName = new HashMap<>();
    files.now().values().values().forEach((name, value) -> byName.put(name, value.file()));
    List<Shadow> shadows = new ArrayList<>();
    for (HStoreFile file : files.now().values().keys()) {
      List<ValueFile> entries =
          ((PartitionedStoreFile) file).mark().orElseThrow().files();
      HFileScanner cells = cells(file);
      for (boolean more = cells.seekTo(); more; more = cells.next()) {
        Pointer pointer = ValueReferenceTag.of(cells.getCell());
        if (pointer != null) {
          shadows.add(new Shadow(
              KeyValueUtil.copyToNewKeyValue(cells.getCell()),
              pointer,
              byName.get(entries.get(pointer.file()).name())));
        }
      }
    }
    return shadows;
  }

  private static void verifyOffsets(List<Shadow> shadows) throws IOException {
    assertThat(shadows).hasSizeGreaterThanOrEqualTo(COLUMNS.length * ROWS);
    for (Shadow shadow : shadows) {
      Cell found = shadow.file().cellAt(shadow.cell(), shadow.pointer());
      Cell expected = shadow.byKey();
      assertThat(found).as("%s in %s", shadow.cell(), shadow.file()).isEqualTo(expected);
      assertThat(CellUtil.matchingValue(found, expected)).isTrue();
      assertThat(((ExtendedCell) found).getSequenceId())
          .isEqualTo(shadow.pointer().sequenceId());
    }
  }

  @Test
  void everyShadowNamesTheOffsetOfItsCell() throws IOException {
    try (TestRegion region = region("flushed", family())) {
      load(region);
      verifyOffsets(shadows(region));
      region.compactAll(COMPACTIONS_MAX);
      assertThat(region.store().getStorefilesCount()).as("key files").isLessThan(FLUSHES);
      verifyOffsets(shadows(region));
    }
  }

  /** A compaction moves the live values of files that are mostly dead to new files. */
  @Test
  void valuesThatWereMovedHaveNewOffsets() throws IOException {
    try (TestRegion region = region("moved", family().setMaxVersions(1))) {
      load(region);
      long before = TestRegion.counter("writtenBytesByCollect");
      load(region);
      region.compactAll(COMPACTIONS_MAX);
      assertThat(TestRegion.counter("writtenBytesByCollect")).isGreaterThan(before);
      verifyOffsets(shadows(region));
      region.compactEverything();
      verifyOffsets(shadows(region));
    }
  }

  @Test
  void aShortScanReadsScatteredValuesAtTheirOffsets() throws IOException {
    try (TestRegion region = region("short", family())) {
      load(region);
      region.compactAll(COMPACTIONS_MAX);
      long before = TestRegion.counter("valuesReadAtOffsetCount");
      Scan scan = new Scan().withStartRow(row(ROWS / 2)).withStopRow(row(ROWS / 2 + ROWS_PER_SCAN));
      List<String> lines = region.read(scan);
      assertThat(lines).hasSize((COLUMNS.length + 1) * ROWS_PER_SCAN);
      long found = TestRegion.counter("valuesReadAtOffsetCount") - before;
      assertThat(found)
          .as("at least four of each file")
          .isBetween(4L * FLUSHES, (long) COLUMNS.length * ROWS_PER_SCAN);
      region.region().get(new Get(row(ROWS / 2)));
      assertThat(TestRegion.counter("valuesReadAtOffsetCount") - before)
          .as("after a Get")
          .isEqualTo(found);
      region.reopenWithOption(StoreSettings.SEPARATED_BYTES, "0");
      region.compactEverything();
      assertThat(region.read(scan)).isEqualTo(lines);
    }
  }

  /** A read of the file would be slower than a block in the cache. */
  @Test
  void aFileWhoseBlocksAreCachedIsReadByBlock() throws IOException {
    ColumnFamilyDescriptorBuilder[] families = {
      family().setPrefetchBlocksOnOpen(true), family().setCacheDataOnWrite(true),
    };
    for (int i = 0; i < families.length; i++) {
      try (TestRegion region = region("cached" + i, families[i])) {
        load(region);
        long before = TestRegion.counter("valuesReadAtOffsetCount");
        assertThat(region.read(new Scan())).hasSize((COLUMNS.length + 1) * ROWS);
        assertThat(TestRegion.counter("valuesReadAtOffsetCount")).isEqualTo(before);
      }
    }
  }

  /** The offsets of other cells of the file take the tags into account. */
  @Test
  void cellsWithTagsAreSearchedByKey() throws IOException {
    try (TestRegion region = region("tags", family())) {
      for (int i = 0; i < ROWS; i++) {
        Put put = new Put(row(i));
        for (String column : COLUMNS) {
          put.addColumn(TestRegion.FAMILY, Bytes.toBytes(column), value());
        }
        if (i % 3 == 0) {
          put.setTTL(Long.MAX_VALUE / 2);
        }
        region.region().put(put);
      }
      region.region().flush(true);
      int tagged = 0;
      for (Shadow shadow : shadows(region)) {
        Cell expected = shadow.byKey();
        if (shadow.cell().getTagsLength() > ValueReferenceTag.BYTES) {
          tagged++;
          assertThat(shadow.file().cellAt(shadow.cell(), shadow.pointer())).isNull();
        } else {
          assertThat(shadow.file().cellAt(shadow.cell(), shadow.pointer())).isEqualTo(expected);
        }
      }
      assertThat(tagged).isEqualTo(COLUMNS.length * ((ROWS + 2) / 3));
      assertThat(region.read(new Scan())).hasSize(COLUMNS.length * ROWS);
    }
  }

  @Test
  void aWrongOffsetIsNotFollowed() throws IOException {
    try (TestRegion region = region("wrong", family())) {
      load(region);
      List<Shadow> shadows = shadows(region);
      Shadow shadow = shadows.get(0);
      Pointer right = shadow.pointer();
      long[] offsets = {
        0,
        right.offset() - 1,
        right.offset() + 1,
        shadows.get(1).pointer().offset(),
        shadow.file().getReader().length() - 1,
        shadow.file().getReader().length(),
        ValueReferenceTag.UNKNOWN_OFFSET
      };
      for (long offset : offsets) {
        assertThat(shadow.at(right.valueLength(), offset, right.checksum()))
            .as("offset %d", offset)
            .isNull();
      }
      assertThat(shadow.at(right.valueLength(), right.offset(), ~right.checksum()))
          .as("checksum")
          .isNull();
      for (int length : new int[] {-1, 0, right.valueLength() - 1, Integer.MAX_VALUE}) {
        assertThat(shadow.at(length, right.offset(), right.checksum()))
            .as("length %d", length)
            .isNull();
      }
    }
  }

  /** HBase then reads the block, and reports its checksum. */
  @Test
  void aDamagedValueIsReported() throws IOException {
    try (TestRegion region = region("damaged", family())) {
      load(region);
      region.compactAll(COMPACTIONS_MAX);
      Shadow shadow = shadows(region).get(0);
      int keyBytes = KeyValueUtil.keyLength(shadow.cell()) + 2 * Integer.BYTES;
      Path path = Path.of(shadow.file().getPath().toUri().getPath());
      try (RandomAccessFile bytes = new RandomAccessFile(path.toFile(), "rw")) {
        long at = shadow.pointer().offset() + keyBytes + shadow.pointer().valueLength() / 2;
        bytes.seek(at);
        int before = bytes.read();
        bytes.seek(at);
        bytes.write(before ^ 1);
      }
      assertThatThrownBy(() -> region.read(new Scan()))
          .hasRootCauseInstanceOf(IOException.class)
          .hasMessageContaining(shadow.file().getPath().getName())
          .satisfies(
              thrown -> assertThat(thrown.getCause()).isInstanceOf(ValueFileException.class));
    }
  }

  @Test
  void compressedAndEncodedFilesHaveNoOffsets() throws IOException {
    ColumnFamilyDescriptorBuilder[] families = {
      family().setCompressionType(Compression.Algorithm.GZ),
      family().setDataBlockEncoding(DataBlockEncoding.FAST_DIFF),
    };
    for (int i = 0; i < families.length; i++) {
      try (TestRegion region = region("packed" + i, families[i])) {
        load(region);
        List<Shadow> shadows = shadows(region);
        assertThat(shadows).hasSize(COLUMNS.length * ROWS);
        assertThat(shadows).noneMatch(shadow -> shadow.pointer().hasOffset());
        assertThat(region.read(new Scan())).hasSize((COLUMNS.length + 1) * ROWS);
      }
    }
  }
}
