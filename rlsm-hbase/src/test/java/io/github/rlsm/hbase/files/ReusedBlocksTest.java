// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.RunsHBase;
import io.github.rlsm.hbase.TestRegion;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads files as a compaction does. */
@RunsHBase
class ReusedBlocksTest {

  private static final int BLOCK_BYTES = 8 << 10;
  private static final int VALUE_BYTES = 500;
  private static final int ROWS = 2_000;

  /** Files have about 130 blocks, each of them an array unless arrays are used again. */
  private static final int ARRAYS_MAX = 12;

  private static final int REQUEST = 64 << 10;
  private static final int FILE_BYTES = 150_000;

  @TempDir
  private Path folder;

  private final byte[] bytes = new byte[FILE_BYTES];
  private final MemoryFile file = new MemoryFile(bytes);
  private final ReusedBlocks.Forward stream =
      new ReusedBlocks.Forward(file, FILE_BYTES, true, true);

  @ParameterizedTest
  @CsvSource({"NONE, 1", "NONE, 20", "NONE, 111", "GZ, 20"})
  void cellsStayAsTheyAreUntilTheyAreShipped(Compression.Algorithm compression, int shipped)
      throws IOException {
    try (TestRegion region = filled(compression, DataBlockEncoding.NONE)) {
      StoreFileScanner scanner = open(region);
      Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
      scanner.seek(KeyValueUtil.createFirstOnRow(HConstants.EMPTY_START_ROW));
      List<Cell> held = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        held.add(scanner.next());
        if (held.size() == shipped) {
          check(held, i + 1 - shipped);
          held.forEach(cell -> arrays.add(cell.getValueArray()));
          held.clear();
          scanner.shipped();
          scanner.shipped();
        }
      }
      check(held, ROWS - held.size());
      assertThat(scanner.next()).isNull();
      scanner.shipped();
      assertThat(arrays).hasSizeLessThan(ARRAYS_MAX + 2 * shipped * VALUE_BYTES / BLOCK_BYTES);
      scanner.close();
      scanner.close();
    }
  }

  @Test
  void aScannerCanSeekAnywhereAndShipAtOnce() throws IOException {
    try (TestRegion region = filled(Compression.Algorithm.NONE, DataBlockEncoding.NONE)) {
      StoreFileScanner scanner = open(region);
      Random random = new Random(7);
      int at = 0;
      scanner.seek(KeyValueUtil.createFirstOnRow(row(0)));
      for (int i = 0; i < 1_000; i++) {
        boolean isForward = at < ROWS && random.nextInt(10) > 0;
        at = isForward ? Math.min(ROWS, at + random.nextInt(40)) : random.nextInt(ROWS);
        Cell key = KeyValueUtil.createFirstOnRow(row(at));
        if (random.nextBoolean()) {
          scanner.requestSeek(key, isForward, true);
        } else if (isForward) {
          scanner.reseek(key);
        } else {
          scanner.seek(key);
        }
        scanner.shipped();
        scanner.enforceSeek();
        check(Optional.ofNullable(scanner.peek()).stream().toList(), at);
        assertThat(scanner.peek() == null).isEqualTo(at == ROWS);
      }
      scanner.close();
    }
  }

  @Test
  void encodedBlocksAreReadAsHBaseDoes() throws IOException {
    try (TestRegion region = filled(Compression.Algorithm.NONE, DataBlockEncoding.FAST_DIFF)) {
      StoreFileScanner scanner = open(region);
      scanner.seek(KeyValueUtil.createFirstOnRow(HConstants.EMPTY_START_ROW));
      for (int i = 0; i < ROWS; i++) {
        check(List.of(scanner.next()), i);
        scanner.shipped();
      }
      assertThat(scanner.next()).isNull();
      scanner.close();
    }
  }

  @Test
  void aDamagedBlockIsAnError() throws IOException {
    try (TestRegion region = filled(Compression.Algorithm.NONE, DataBlockEncoding.NONE)) {
      HStoreFile damaged = region.store().getStorefiles().iterator().next();
      try (RandomAccessFile disk =
          new RandomAccessFile(damaged.getPath().toUri().getPath(), "rw")) {
        disk.seek(disk.length() / 2);
        int before = disk.read();
        disk.seek(disk.length() / 2);
        disk.write(before ^ 1);
      }
      StoreFileScanner scanner = open(region);
      scanner.seek(KeyValueUtil.createFirstOnRow(HConstants.EMPTY_START_ROW));
      assertThatThrownBy(() -> {
            while (scanner.next() != null) {
              scanner.shipped();
            }
          })
          .isInstanceOf(IOException.class)
          .hasStackTraceContaining("hecksum");
      scanner.close();
    }
  }

  @Test
  void compactionsOfSmallBlocksLoseNothing() throws IOException {
    try (TestRegion region = filled(Compression.Algorithm.NONE, DataBlockEncoding.NONE)) {
      for (int i = 0; i < ROWS; i += 3) {
        region.region().put(put(i));
      }
      region.region().flush(true);
      List<String> before = region.read(new Scan().readAllVersions());
      region.compactEverything();
      assertThat(region.read(new Scan().readAllVersions())).isEqualTo(before);
    }
  }

  @Test
  void requestsAreLargerThanReads() throws IOException {
    new Random(1).nextBytes(bytes);
    byte[] read = new byte[FILE_BYTES];
    for (int i = 0; i < FILE_BYTES; i += 1_000) {
      ByteBuffer part = ByteBuffer.wrap(read, i, 1_000);
      while (part.hasRemaining()) {
        assertThat(stream.read(part)).isPositive();
      }
    }
    assertThat(read).isEqualTo(bytes);
    assertThat(stream.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    assertThat(stream.read()).isEqualTo(-1);
    assertThat(stream.read(read, 0, 1)).isEqualTo(-1);
    assertThat(file.requests)
        .containsExactly("0+" + REQUEST, REQUEST + "+" + REQUEST, 2 * REQUEST + "+18928");
  }

  @Test
  void aSeekOutsideTheWindowMakesARequest() throws IOException {
    bytes[100] = -3;
    assertThat(stream.read()).isEqualTo(0);
    stream.seek(100);
    assertThat(stream.getPos()).isEqualTo(100);
    assertThat(stream.read()).isEqualTo(253);
    assertThat(file.requests).hasSize(1);
    stream.seek(REQUEST);
    stream.read();
    stream.seek(REQUEST - 1);
    stream.read();
    stream.forget();
    stream.read();
    assertThat(file.requests)
        .containsExactly(
            "0+" + REQUEST,
            REQUEST + "+" + REQUEST,
            REQUEST - 1 + "+" + REQUEST,
            REQUEST + "+" + REQUEST);
  }

  @Test
  void aClosedStreamIsAnError() {
    file.isReplaced = true;
    assertThatThrownBy(stream::read).isInstanceOf(EOFException.class);
    assertThat(stream.hasCapability(StreamCapabilities.READBYTEBUFFER)).isTrue();
    assertThat(stream.hasCapability(StreamCapabilities.HSYNC)).isFalse();
    assertThat(stream.seekToNewSource(0)).isFalse();
  }

  /** Others may move a stream that they share. */
  @Test
  void aSharedStreamIsReadByPosition() throws IOException {
    bytes[REQUEST] = 5;
    ReusedBlocks.Forward shared = new ReusedBlocks.Forward(file, FILE_BYTES, true, false);
    file.getStream(true).seek(7);
    assertThat(shared.read()).isZero();
    shared.seek(REQUEST);
    assertThat(shared.read()).isEqualTo(5);
    assertThat(file.getStream(true).getPos()).isEqualTo(7);
    assertThat(file.requests).containsExactly("0+" + REQUEST, REQUEST + "+" + REQUEST);
  }

  @Test
  void buffersAreUsedAgainExceptOne() {
    ReusedBlocks.Buffers buffers = new ReusedBlocks.Buffers();
    ByteBuff kept = buffers.allocate(5_000);
    assertThat(kept.hasArray()).isTrue();
    assertThat(kept.arrayOffset()).isZero();
    assertThat(kept.capacity()).isEqualTo(5_000);
    byte[] other = buffers.allocate(3_000).array();
    buffers.reuse(kept.array());
    assertThat(buffers.allocate(4_000).array()).isSameAs(other);
    assertThat(buffers.allocate(10).array()).hasSize(10);
    byte[] third = buffers.allocate(4_000).array();
    assertThat(third).isNotSameAs(other).isNotSameAs(kept.array());
    // A larger buffer is needed, so the shorter ones are forgotten.
    byte[] larger = buffers.allocate(9_000).array();
    buffers.reuse(null);
    assertThat(buffers.allocate(4_000).array()).isSameAs(larger);
    assertThat(buffers.allocate(4_000).array()).isNotSameAs(other).isNotSameAs(third);
  }

  private TestRegion filled(Compression.Algorithm compression, DataBlockEncoding encoding)
      throws IOException {
    TestRegion region = new TestRegion(
        folder,
        "filled",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setBlocksize(BLOCK_BYTES)
            .setCompressionType(compression)
            .setDataBlockEncoding(encoding)
            .setMaxVersions(3)
            .build(),
        Map.of("hbase.rlsm.partition.bytes.max", Integer.toString(64 << 20)));
    for (int i = 0; i < ROWS; i++) {
      region.region().put(put(i));
    }
    region.region().flush(true);
    return region;
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "row%06d", number));
  }

  private static Put put(int row) {
    return new Put(row(row)).addColumn(TestRegion.FAMILY, Bytes.toBytes("c"), value(row));
  }

  private static byte[] value(int row) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(row).nextBytes(value);
    return value;
  }

  private static StoreFileScanner open(TestRegion region) throws IOException {
    HStoreFile only = region.store().getStorefiles().iterator().next();
    assertThat(region.store().getStorefilesCount()).isEqualTo(1);
    return only.getStreamScanner(false, false, true, Long.MAX_VALUE, 0, false);
  }

  private static void check(List<Cell> cells, int first) {
    for (int i = 0; i < cells.size(); i++) {
      assertThat(CellUtil.cloneRow(cells.get(i))).isEqualTo(row(first + i));
      assertThat(Arrays.equals(CellUtil.cloneValue(cells.get(i)), value(first + i)))
          .isTrue();
    }
  }
}
