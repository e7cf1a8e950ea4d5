// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.InvalidOptionsException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompressionTest {

  @ParameterizedTest
  @EnumSource(names = {"LZ4", "ZSTD"})
  void compressedPagesRoundTrip(PageCompression compression) {
    PageCompression.Codec codec = compression.codec();
    SeededCases.run(200, random -> {
      byte[] source = new byte[1 + random.nextInt(5000)];
      random.nextBytes(source);
      Arrays.fill(source, random.nextInt(source.length), source.length, (byte) 1);
      byte[] target = new byte[10 + codec.compressedLengthMax(source.length)];
      int length = codec.compress(source, 0, source.length, target, 10);
      byte[] compressed = Arrays.copyOfRange(target, 10, 10 + length);
      byte[] back = new byte[source.length + 3];
      assertThat(codec.decompress(compressed, back, 3, source.length)).isNull();
      assertThat(Arrays.copyOfRange(back, 3, back.length)).isEqualTo(source);
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"LZ4", "ZSTD"})
  void garbageInputIsRefused(PageCompression compression) {
    PageCompression.Codec codec = compression.codec();
    byte[] rubbish = new byte[300];
    new Random(1).nextBytes(rubbish);
    assertThat(codec.decompress(rubbish, new byte[500], 0, 500)).isNotNull();
    byte[] target = new byte[codec.compressedLengthMax(300)];
    int length = codec.compress(new byte[300], 0, 300, target, 0);
    byte[] compressed = Arrays.copyOf(target, length);
    assertThat(codec.decompress(compressed, new byte[400], 0, 400)).isNotNull();
    assertThat(codec.decompress(compressed, new byte[200], 0, 200)).isNotNull();
  }

  @Test
  void noCompressionHasNoCodec() {
    assertThatThrownBy(PageCompression.NONE::codec).isInstanceOf(IllegalStateException.class);
    assertThat(PageCompression.isKnown(3)).isFalse();
    assertThat(PageCompression.isKnown(-1)).isFalse();
  }

  /** Loads the engine's classes without the optional libraries. */
  @ParameterizedTest
  @EnumSource(names = {"LZ4", "ZSTD"})
  void aMissingLibraryIsNamed(PageCompression compression) throws Exception {
    URL[] classPath = Pattern.compile(System.getProperty("path.separator"), Pattern.LITERAL)
        .splitAsStream(System.getProperty("java.class.path"))
        .filter(entry -> Stream.of("lz4-java", "zstd-jni").noneMatch(entry::contains))
        .map(CompressionTest::url)
        .toArray(URL[]::new);
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader loader = new URLClassLoader(classPath, platform)) {
      Class<?> type = loader.loadClass(PageCompression.class.getName());
      Method valueOf = type.getMethod("valueOf", String.class);
      Method codec = type.getDeclaredMethod("codec");
      codec.setAccessible(true);
      Object instance = valueOf.invoke(null, compression.name());
      assertThatThrownBy(() -> codec.invoke(instance))
          .cause()
          .satisfies(e ->
              assertThat(e.getClass().getName()).isEqualTo(InvalidOptionsException.class.getName()))
          .hasMessageContaining("compression " + compression)
          .hasMessageContaining(compression == PageCompression.LZ4 ? "lz4-java" : "zstd-jni");
    }
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void settingsAreChecked() {
    assertThatThrownBy(() -> new TableWriter.Settings(1000, 31, PageCompression.NONE))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("pageBytes is 1000")
        .hasMessageContaining("filterBitsPerKey is 31");
    for (int pageBytes : new int[] {0, -512, 256, 65_536}) {
      assertThatThrownBy(() -> new TableWriter.Settings(pageBytes, 10, PageCompression.NONE))
          .isInstanceOf(InvalidOptionsException.class);
    }
  }
}
