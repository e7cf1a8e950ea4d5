// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.memstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.hbase.config.MembufferSettings;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.exceptions.UnexpectedStateException;
import org.apache.hadoop.hbase.regionserver.DefaultMemStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.apache.hadoop.hbase.regionserver.MutableSegment;
import org.apache.hadoop.hbase.regionserver.SegmentFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class MembufferMemStoreTest {

  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final Configuration conf = new Configuration(false);
  private final Deque<Runnable> drains = new ArrayDeque<>();

  /**
   * The sizes reported to the region; a segment is the only size object that this package can
   * create.
   */
  private final MutableSegment told;

  private final MembufferMemStore memstore;

  MembufferMemStoreTest() {
    conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
    conf.setInt(MembufferSettings.CELLS, 4);
    told = sizes();
    memstore = new MembufferMemStore(conf, CellComparator.getInstance(), null, drains::add);
  }

  @Test
  void aScanSeesUnsortedCells() throws IOException {
    add("b", 1);
    add("a", 2);
    add("c", 3);
    assertThat(read(memstore, 3)).containsExactly("a@2", "b@1", "c@3");
    assertThat(read(memstore, 2)).containsExactly("a@2", "b@1");
  }

  @Test
  void aScannerRemainsUsableAfterASnapshot() throws IOException {
    add("a", 1);
    List<KeyValueScanner> scanners = memstore.getScanners(1);
    MemStoreSnapshot snapshot = memstore.snapshot();
    memstore.clearSnapshot(snapshot.getId());
    add("b", 2);
    assertThat(drained(scanners)).containsExactly("a@1");
  }

  @Test
  void theLastCellOfABatchWithTheSameKeyWins() throws IOException {
    String[] values = {"1", "2", "3", "4", "5", "6"};
    for (String value : values) {
      memstore.add(cell("a", 7, 10, value), told);
    }
    // The table takes four cells; the later ones went to the sorted set.
    KeyValueScanner scanner = memstore.getScanners(7).get(0);
    assertThat(Bytes.toString(CellUtil.cloneValue(scanner.next()))).isEqualTo("6");
    assertThat(scanner.next()).isNull();
    scanner.close();
  }

  @Test
  void aFullTableIsDrainedInTheBackgroundOnce() throws IOException {
    for (int i = 0; i < 10; i++) {
      add("r" + i, i);
    }
    assertThat(drains).hasSize(1);
    drains.remove().run();
    add("x", 11);
    assertThat(drains).isEmpty();
    add("y", 12);
    assertThat(drains).hasSize(1);
    assertThat(read(memstore, 20)).hasSize(12);
  }

  @Test
  void aSnapshotTakesAllCells() throws IOException {
    for (int i = 0; i < 3; i++) {
      add("r" + i, i);
    }
    assertThat(memstore.timeOfOldestEdit()).isLessThan(Long.MAX_VALUE);
    MemStoreSnapshot snapshot = memstore.snapshot();
    assertThat(snapshot.getCellsCount()).isEqualTo(3);
    assertThat(drained(snapshot.getScanners())).hasSize(3);
    assertThat(memstore.timeOfOldestEdit()).isEqualTo(Long.MAX_VALUE);
    assertThat(memstore.preFlushSeqIDEstimation()).isEqualTo(HConstants.NO_SEQNUM);
    add("later", 9);
    // A failed flush is retried with the same cells.
    assertThat(memstore.snapshot().getId()).isEqualTo(snapshot.getId());
    assertThat(read(memstore, 9)).hasSize(4);
    assertThatThrownBy(() -> memstore.clearSnapshot(snapshot.getId() + 1))
        .isInstanceOf(UnexpectedStateException.class);
    memstore.clearSnapshot(snapshot.getId());
    assertThat(read(memstore, 9)).containsExactly("later@9");
  }

  @Test
  void sizesEqualHBasesMemstore() {
    DefaultMemStore other = new DefaultMemStore(conf, CellComparator.getInstance());
    MutableSegment toldOther = sizes();
    for (int i = 0; i < 10; i++) {
      add("r" + i % 3, i);
      other.add(cell("r" + i % 3, i, i, "v"), toldOther);
      List<Cell> counter = List.of(cell("n", 100 + i, 100 + i, "v" + i));
      memstore.upsert(counter, 100 + i, told);
      other.upsert(counter, 100 + i, toldOther);
    }
    assertThat(told.getMemStoreSize()).isEqualTo(toldOther.getMemStoreSize());
    assertThat(memstore.size()).isEqualTo(other.size());
    assertThat(memstore.getFlushableSize()).isEqualTo(other.getFlushableSize());
    MemStoreSize ofSnapshot = memstore.snapshot().getMemStoreSize();
    assertThat(ofSnapshot).isEqualTo(other.snapshot().getMemStoreSize());
    assertThat(memstore.getFlushableSize()).isEqualTo(ofSnapshot);
    assertThat(memstore.size()).isEqualTo(sizes().getMemStoreSize());
  }

  @Test
  void anUpsertReplacesUnsortedCells() throws IOException {
    add("n", 1);
    add("n", 2);
    // HBase keeps one older cell that the oldest scanner can see.
    memstore.upsert(List.of(cell("n", 3, 3, "v")), 3, told);
    assertThat(read(memstore, 3)).containsExactly("n@3", "n@2");
    memstore.upsert(List.of(cell("n", 4, 4, "v")), 2, told);
    assertThat(read(memstore, 4)).containsExactly("n@4", "n@3", "n@2");
  }

  private MutableSegment sizes() {
    return SegmentFactory.instance().createMutableSegment(conf, CellComparator.getInstance(), null);
  }

  private void add(String row, long sequenceId) {
    memstore.add(cell(row, sequenceId, sequenceId, "v"), told);
  }

  private static Cell cell(String row, long sequenceId, long timestamp, String value) {
    KeyValue cell =
        new KeyValue(Bytes.toBytes(row), FAMILY, FAMILY, timestamp, Bytes.toBytes(value));
    cell.setSequenceId(sequenceId);
    return cell;
  }

  private static List<String> read(MemStore memstore, long readPoint) throws IOException {
    return drained(memstore.getScanners(readPoint));
  }

  private static List<String> drained(List<KeyValueScanner> scanners) throws IOException {
    List<String> cells = new ArrayList<>();
    for (KeyValueScanner scanner : scanners) {
      for (Cell cell = scanner.next(); cell != null; cell = scanner.next()) {
        cells.add(Bytes.toString(CellUtil.cloneRow(cell)) + "@" + cell.getTimestamp());
      }
      scanner.close();
    }
    return cells;
  }
}
