// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowFilterTest {

  private static final int ROWS = 10_000;

  @Test
  void rowsThatWereAddedPassAndFewOthers() {
    RowFilter filter = RowFilter.decode(filter(ROWS, 12)).orElseThrow();
    assertThat(IntStream.range(0, ROWS)).allMatch(i -> filter.mayHold(hash(i)));
    long others =
        IntStream.range(ROWS, 11 * ROWS).filter(i -> filter.mayHold(hash(i))).count();
    assertThat(others).isLessThan(10 * ROWS / 100);
    assertThat(filter.byteCount()).isLessThan(ROWS * 12 / 8 + 100);
  }

  @Test
  void encodedBytesDoNotChange() {
    byte[] bytes = filter(3, 10);
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo("0106"
            + "0008000010000010008000000000000000000000000008000000100000000000"
            + "0200400000008008000018000024000000410040000008000000000000000000"
            + "9a9cb18f");
  }

  @Test
  void damagedBytesAreRejected() {
    byte[] good = filter(100, 10);
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 16;
      assertThat(RowFilter.decode(bad)).as("byte " + i).isEmpty();
      assertThat(RowFilter.decode(Arrays.copyOf(good, i))).isEmpty();
    }
    assertThat(RowFilter.decode(null)).isEmpty();
  }

  @Test
  void withoutRowsOrBitsThereIsNoFilter() {
    assertThat(new RowFilterBuilder(12).bytes()).isEmpty();
    RowFilterBuilder none = new RowFilterBuilder(0);
    none.add(1);
    assertThat(none.bytes()).isEmpty();
  }

  @Test
  void aFilterForTooManyRowsIsLeftOut() {
    RowFilterBuilder many = new RowFilterBuilder(1);
    for (int i = 0; i < RowFilterBuilder.ROWS_MAX; i++) {
      many.add(i);
    }
    assertThat(many.bytes()).isPresent();
    many.add(1);
    assertThat(many.bytes()).isEmpty();
  }

  private static byte[] filter(int rows, int bits) {
    RowFilterBuilder builder = new RowFilterBuilder(bits);
    IntStream.range(0, rows).forEach(i -> builder.add(hash(i)));
    return builder.bytes().orElseThrow();
  }

  private static long hash(int i) {
    return RowHash.of(("row" + i).getBytes(US_ASCII));
  }
}
