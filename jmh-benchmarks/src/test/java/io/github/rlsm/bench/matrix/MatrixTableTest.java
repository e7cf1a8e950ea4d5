// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.matrix.MatrixRow.Cell;
import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.KeyOrder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class MatrixTableTest {

  private static final MatrixSettings SETTINGS = MatrixSettings.DEFAULT;
  private static final MatrixCase SMALL = new MatrixCase(100, Amount.HALF, KeyOrder.RANDOM, 2);
  private static final MatrixCase MEDIUM =
      new MatrixCase(1_000, Amount.FAR_MORE, KeyOrder.INCREASING, 8);
  private static final MatrixCase IN_MEMORY =
      new MatrixCase(100, Amount.QUARTER, KeyOrder.RANDOM, 2);
  private static final MatrixCase UNMEASURED = new MatrixCase(300, Amount.HALF, KeyOrder.RANDOM, 2);
  private static final List<MatrixCase> CASES = List.of(MEDIUM, UNMEASURED, IN_MEMORY, SMALL);
  private static final Map<String, BenchResult> RECORDED = Map.of(
      SMALL.name(), Results.of(SMALL, SETTINGS, 0.5),
      MEDIUM.name(), Results.of(MEDIUM, SETTINGS, 2),
      IN_MEMORY.name(), Results.of(IN_MEMORY, SETTINGS, 1));
  private static final MatrixTable TABLE = MatrixTable.of(CASES, RECORDED);

  @Test
  void caseWithRandomKeysGivesTwoRows() {
    assertThat(TABLE.rows())
        .extracting(MatrixRow::keys)
        .containsExactly(KeyPattern.RANDOM, KeyPattern.ZIPFIAN, KeyPattern.INCREASING);
    assertThat(TABLE.rows()).extracting(MatrixRow::one).containsExactly(SMALL, SMALL, MEDIUM);
    assertThat(TABLE.lmdbRows()).extracting(MatrixRow::one).containsOnly(IN_MEMORY);
  }

  @Test
  void zipfianRowHasOnlyItsOwnPhases() {
    assertThat(TABLE.rows().get(0).cells()).hasSize(MatrixColumn.values().length);
    assertThat(TABLE.rows().get(1).cells())
        .extracting(Cell::column)
        .containsExactly(
            MatrixColumn.SCAN_SHORT,
            MatrixColumn.SCAN_LONG,
            MatrixColumn.OVERWRITE,
            MatrixColumn.OVERWRITE_SETTLED);
  }

  @Test
  void ratioIsRelativeToFastestPeer() {
    Cell small = TABLE.rows().get(0).cell(MatrixColumn.READ).orElseThrow();
    assertThat(small.ratio()).isCloseTo(0.5, within(1e-9));
    assertThat(small.fastest()).isEqualTo(StoreKind.ROCKSDB);
    Cell medium = TABLE.rows().get(2).cell(MatrixColumn.READ).orElseThrow();
    assertThat(medium.ratio()).isCloseTo(1.25, within(1e-9));
    assertThat(medium.fastest()).isEqualTo(StoreKind.BLOBDB);
    assertThat(TABLE.lmdbRows().get(0).cell(MatrixColumn.READ).orElseThrow().fastest())
        .isEqualTo(StoreKind.LMDB);
  }

  @Test
  void settledCellsCountTheSettling() {
    MatrixRow row = TABLE.rows().get(0);
    double keys = (double) SMALL.workload(SETTINGS).keys();
    assertThat(row.cell(MatrixColumn.LOAD_SETTLED).orElseThrow().own())
        .isCloseTo(keys / (keys / 1_000 + 1), within(1e-6));
  }

  @Test
  void failedPeerLeavesNoCell() {
    BenchResult whole = RECORDED.get(SMALL.name());
    BenchResult alone =
        new BenchResult("", "", "", whole.machine(), "", whole.runs().subList(0, 1));
    MatrixTable table = MatrixTable.of(CASES, Map.of(SMALL.name(), alone));
    assertThat(table.rows()).hasSize(2);
    assertThat(table.cells()).isEmpty();
    assertThat(MatrixTable.geometricMean(table.cells())).isEmpty();
  }

  @Test
  void meanIsGeometric() {
    List<Cell> cells = List.of(
        TABLE.rows().get(0).cell(MatrixColumn.READ).orElseThrow(),
        TABLE.rows().get(2).cell(MatrixColumn.READ).orElseThrow());
    assertThat(MatrixTable.geometricMean(cells).orElseThrow())
        .isCloseTo(Math.sqrt(0.5 * 1.25), within(1e-9));
  }

  @Test
  void losingCellsAreSortedByRatio() {
    List<Cell> losing = TABLE.below(1);
    assertThat(losing).hasSize(13).allMatch(cell -> cell.row().one().equals(SMALL));
    assertThat(losing).extracting(Cell::ratio).isSorted();
  }

  @Test
  void reportHasRatiosTailsBytesAndLmdb() {
    assertThat(MatrixReport.of("e1", 88, RECORDED.values(), TABLE))
        .contains("# Matrix of engine e1")
        .contains("- Cases: 3 of 88")
        .contains("- Cells: 22, of which 13 are below 1.00; geometric mean ")
        .contains("![heat map](matrix.svg)")
        .contains("- 0.50 get: 100 B, ½ ×, random, 2 (1,000/s, RocksDB 2,000/s)")
        .contains("| 100 B, ½ × | 13 | 13 | 0.50 | ")
        .contains("| 1,000 B, 4 × | 9 | 0 | 1.25 | ")
        .contains("| all | 22 | 13 | ")
        .contains("| 100 B, ½ ×, random, 2 | **0.50** |")
        .contains("| 1,000 B, 4 ×, increasing, 8 | 1.25 b |")
        .contains("| 100 B, ½ ×, random, 2 | **2.00** / 1.00 |")
        .contains("| 1,000 B, 4 ×, increasing, 8 | 2.00 / 4.00 |")
        .contains("| 2.00 / 2.00 | 1.00 / 1.00 | 1.50 / 1.50 | 1.50 / 1.50 | 2.00 / 2.00 |")
        .contains("| longer | 1 of 2 | ")
        .contains("| 0.5 / 0.5 | 0.25 / 0.25 | 0, 0 |")
        .contains("divided by LMDB's")
        .contains("| geometric mean |");
  }

  @Test
  void reportNeedsNoRowBesideRocksDb() {
    MatrixTable inMemory = MatrixTable.of(
        List.of(IN_MEMORY), Map.of(IN_MEMORY.name(), Results.of(IN_MEMORY, SETTINGS, 1)));
    assertThat(MatrixReport.of("e1", 88, RECORDED.values(), inMemory))
        .contains("| all | 0 | 0 | · |")
        .contains("| longer | 0 of 0 |")
        .contains("divided by LMDB's");
  }

  @Test
  void reportOfSeveralCommitsAndMachinesListsTheirCases() {
    BenchResult one = Objects.requireNonNull(RECORDED.get(SMALL.name()));
    BenchResult later = new BenchResult(
        one.date(),
        "def",
        "./bench matrix --cases a,b --minutes 9 --out results",
        new Machine("Quipu", 4, 8L << 30, "Linux 2", "JVM 17", "xfs"),
        one.memoryLimit(),
        one.runs());
    Map<String, BenchResult> recorded = new HashMap<>(RECORDED);
    recorded.put(SMALL.name(), later);
    assertThat(MatrixReport.of("e1", 88, RECORDED.values(), TABLE))
        .contains("- Machines: Abacus, 2 cores, Linux 1, ext4, JVM 17\n")
        .doesNotContain("by commit");
    assertThat(MatrixReport.of("e1", 88, recorded.values(), TABLE))
        .contains("# Matrix of 2 commits")
        .contains("- Commits: abc, def")
        .contains("`./bench matrix --cases … --minutes … --out results`")
        .contains("Abacus, 2 cores, Linux 1, ext4, JVM 17; Quipu, 4 cores, Linux 2, xfs, JVM 17\n")
        .contains("## Cases by commit and processor")
        .contains("- def, Quipu: " + SMALL.name() + "\n");
  }

  @Test
  void heatMapHasFieldForEveryCell() throws Exception {
    String svg = HeatMap.of(TABLE);
    Document document = DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(1 + 2 * 3 * 21 * 9);
    assertThat(svg).contains(">0.50</text>").contains(">1.25</text>").contains("#eeeeee");
  }

  @Test
  void coloursSeparateLossesFromWins() {
    assertThat(HeatMap.colour(1)).isEqualTo("#fafaf5");
    assertThat(HeatMap.colour(4)).isEqualTo(HeatMap.colour(100)).isEqualTo("#148c50");
    assertThat(HeatMap.colour(0.25)).isEqualTo(HeatMap.colour(0.01)).isEqualTo("#c82828");
  }
}
