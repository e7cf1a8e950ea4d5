// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScanOptionsTest {

  @Test
  void allHasNoBounds() {
    ScanOptions all = ScanOptions.all();
    assertThat(all.from()).isNull();
    assertThat(all.to()).isNull();
    assertThat(all.isReverse()).isFalse();
    assertThat(all.isKeysOnly()).isFalse();
    assertThat(all.limit()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void builtOptionsHoldAllSettings() {
    ScanOptions options = ScanOptions.builder()
        .from(bytes("a"))
        .to(bytes("b"))
        .reverse()
        .keysOnly()
        .limit(7)
        .build();
    assertThat(options.from()).isEqualTo(bytes("a"));
    assertThat(options.to()).isEqualTo(bytes("b"));
    assertThat(options.isReverse()).isTrue();
    assertThat(options.isKeysOnly()).isTrue();
    assertThat(options.limit()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({
    "61, 61, 62",
    "6161, 6161, 6162",
    "00, 00, 01",
    "7f, 7f, 80",
    "80, 80, 81",
    "fe, fe, ff",
    "61ff, 61ff, 62",
    "61ffff, 61ffff, 62",
    "feff, feff, ff",
    "ff, ff,",
    "ffff, ffff,",
    "ff00, ff00, ff01",
    "ffff61, ffff61, ffff62"
  })
  void aPrefixBecomesBounds(String prefix, String from, String to) {
    byte[] bytes = HexFormat.of().parseHex(prefix);
    ScanOptions options = ScanOptions.prefix(bytes);
    assertThat(options.from()).asHexString().isEqualToIgnoringCase(from);
    if (to == null) {
      assertThat(options.to()).as("no key lies above").isNull();
    } else {
      assertThat(Objects.requireNonNull(options.to())).asHexString().isEqualToIgnoringCase(to);
    }
  }

  @Test
  void anEmptyPrefixSelectsEverything() {
    ScanOptions options = ScanOptions.prefix(new byte[0]);
    assertThat(options.from())
        .satisfiesAnyOf(
            from -> assertThat(from).isNull(), from -> assertThat(from).isEmpty());
    assertThat(options.to()).isNull();
  }

  @Test
  void boundsAndPrefixCombine() {
    ScanOptions.Builder builder = ScanOptions.builder().prefix(bytes("b"));
    assertBounds(builder.from(bytes("a")).to(bytes("z")).build(), "b", "c");
    assertBounds(builder.from(bytes("b1")).to(bytes("b5")).build(), "b1", "b5");
    assertBounds(builder.from(bytes("b1")).to(bytes("z")).build(), "b1", "c");
    assertBounds(builder.from(bytes("a")).to(bytes("b5")).build(), "b", "b5");
    assertBounds(builder.from(bytes("x")).to(bytes("z")).build(), "x", "c");
  }

  private static void assertBounds(ScanOptions options, String from, String to) {
    assertThat(options.from()).isEqualTo(bytes(from));
    assertThat(options.to()).isEqualTo(bytes(to));
  }

  @Test
  void arraysAreCopiedInAndOut() {
    byte[] from = bytes("a");
    byte[] to = bytes("m");
    ScanOptions options = ScanOptions.range(from, to);
    from[0] = 'x';
    to[0] = 'x';
    Objects.requireNonNull(options.from())[0] = 'x';
    Objects.requireNonNull(options.to())[0] = 'x';
    assertBounds(options, "a", "m");
    byte[] prefix = bytes("p");
    ScanOptions.Builder builder = ScanOptions.builder().prefix(prefix);
    prefix[0] = 'x';
    assertBounds(builder.build(), "p", "q");
  }

  @Test
  void slicesAndBuffersAreCopied() {
    byte[] array = bytes("..abc..");
    ScanOptions.Builder slices =
        ScanOptions.builder().prefix(array, 2, 1).from(array, 2, 2).to(array, 2, 3);
    ByteBuffer buffer = ByteBuffer.wrap(array, 2, 3);
    ScanOptions.Builder buffers =
        ScanOptions.builder().from(buffer.duplicate().limit(4)).to(buffer);
    Arrays.fill(array, (byte) 'x');
    assertBounds(slices.build(), "ab", "abc");
    assertBounds(buffers.build(), "ab", "abc");
    assertThat(buffer.position()).isEqualTo(2);
  }

  @Test
  void wrongArgumentsAreRefused() {
    for (ApiCall call : ApiCall.all(ScanOptions.Builder.class)) {
      for (String parameter : call.requiredReferences()) {
        assertThatThrownBy(() -> call.with(parameter, null).on(ScanOptions.builder()))
            .as("%s", call)
            .isInstanceOf(NullPointerException.class)
            .hasMessageContaining(parameter);
      }
      if (call.takes("offset")) {
        assertThatThrownBy(() -> call.with("offset", -1).on(ScanOptions.builder()))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> call.with("length", 100).on(ScanOptions.builder()))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
    assertThatThrownBy(() -> ScanOptions.builder().limit(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aBuilderMayGoOnAfterBuilding() {
    ScanOptions.Builder builder = ScanOptions.builder().from(bytes("a"));
    ScanOptions before = builder.build();
    builder.from(bytes("b")).reverse().limit(1);
    assertThat(before.from()).isEqualTo(bytes("a"));
    assertThat(before.isReverse()).isFalse();
  }

  @Test
  void toStringShowsTheSelection() {
    assertThat(ScanOptions.all()).hasToString("ScanOptions[from=-, to=-]");
    assertThat(ScanOptions.builder()
            .prefix(bytes("a"))
            .reverse()
            .keysOnly()
            .limit(3)
            .build())
        .hasToString("ScanOptions[from=61, to=62, reverse, keysOnly, limit=3]");
    assertThat(ScanOptions.range(new byte[100], new byte[1]).toString())
        .hasSizeLessThan(150)
        .contains("100 bytes");
  }
}
