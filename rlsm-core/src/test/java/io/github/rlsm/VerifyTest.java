// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.kv.VerifyReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that {@link RlsmStore#verify} finds each damage and names file, offset, keyspace and keys.
 */
class VerifyTest {

  private static final int KEYS = 400;
  private static final int VALUE_BYTES = 300;

  private final RlsmOptions options =
      RlsmOptions.builder().separationThreshold(100).build();
  private final SimulatedDirectory directory = new SimulatedDirectory();

  private RlsmStore open(int seed) {
    return RlsmStore.open(directory, options, InlineScheduler.environment(seed));
  }

  private static byte[] key(int number) {
    return String.format(Locale.ROOT, "key%04d", number).getBytes(US_ASCII);
  }

  /** Returns a value. Values of even keys lie in the table, all others in the value log. */
  private static byte[] value(int number) {
    byte[] value = new byte[number % 2 == 0 ? 60 : VALUE_BYTES];
    Arrays.fill(value, (byte) number);
    value[0] = (byte) (number >>> Byte.SIZE);
    return value;
  }

  private static void write(Keyspace keyspace) {
    for (int i = 0; i < KEYS; i++) {
      keyspace.put(key(i), value(i));
    }
  }

  /** Returns the file that contains a value. */
  private String fileOf(byte[] value) {
    return directory.list().stream()
        .filter(name -> ClosedStore.indexOf(directory.bytes(name), value) >= 0)
        .findFirst()
        .orElseThrow();
  }

  private int flip(byte[] value) {
    String file = fileOf(value);
    int at = ClosedStore.indexOf(directory.bytes(file), value) + value.length / 2;
    directory.flipBit(file, 8L * at);
    return at;
  }

  private static boolean covers(VerifyReport.Damage damage, String keyspace, byte[] key) {
    return damage.keys().stream()
        .anyMatch(keys -> keys.keyspace().equals(keyspace)
            && Arrays.compareUnsigned(keys.from(), key) <= 0
            && (keys.to().length == 0 || Arrays.compareUnsigned(key, keys.to()) < 0));
  }

  @Test
  void aSoundStoreHasNoDamage() {
    try (RlsmStore store = open(1)) {
      write(store);
      store.settle();
      write(store.keyspace("users"));
      List<Long> told = new ArrayList<>();
      VerifyReport report = store.verify(new VerifyListener() {
        @Override
        public void progress(long bytesRead, long bytesTotal) {
          assertThat(bytesRead).isLessThanOrEqualTo(bytesTotal);
          told.add(bytesRead);
        }
      });
      assertThat(report.isSound()).isTrue();
      assertThat(report.bytesRead()).isGreaterThan(2L * KEYS / 2 * VALUE_BYTES);
      assertThat(told).isSorted().endsWith(report.bytesRead());
    }
  }

  @Test
  void everyDamageIsNamedWithItsKeys() {
    try (RlsmStore store = open(1)) {
      write(store.keyspace("users"));
      store.settle();
    }
    flip(value(3));
    flip(value(99));
    String table = fileOf(value(200));
    int at = flip(value(200));
    List<VerifyReport.Damage> told = new ArrayList<>();
    try (RlsmStore store = open(2)) {
      VerifyReport report = store.verify(new VerifyListener() {
        @Override
        public void damaged(VerifyReport.Damage damage) {
          told.add(damage);
        }
      });
      assertThat(report.damage()).isEqualTo(told).hasSize(3);
      assertThat(report.damageCount()).isEqualTo(3);
      VerifyReport.Damage page = told.get(0);
      assertThat(page.file()).isEqualTo(table);
      assertThat(page.offset()).isBetween(at - 32L * 1024, (long) at);
      assertThat(covers(page, "users", key(200))).isTrue();
      assertThat(covers(page, "users", key(3))).isFalse();
      for (int number : new int[] {3, 99}) {
        assertThat(told).anySatisfy(damage -> {
          assertThat(damage.file()).isEqualTo(fileOf(value(5)));
          assertThat(damage.keys()).hasSize(1);
          assertThat(damage.keys().get(0).from()).isEqualTo(key(number));
          assertThat(damage).asString().contains("users", new String(key(number), US_ASCII));
        });
      }
      assertThatThrownBy(store::verify)
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining(table)
          .satisfies(first -> assertThat(first.getSuppressed()).hasSize(2));
    }
  }

  /** Damage in a page must not hide damaged values after it. */
  @Test
  void valuesBehindADamagedPageAreRead() {
    try (RlsmStore store = open(1)) {
      write(store);
      store.settle();
    }
    flip(value(0));
    flip(value(KEYS - 1));
    try (RlsmStore store = open(2)) {
      VerifyReport report = store.verify(VerifyListener.NONE);
      assertThat(report.damageCount()).isEqualTo(2);
      assertThat(covers(report.damage().get(1), "", key(KEYS - 1))).isTrue();
    }
  }

  @Test
  void aDamagedFooterMakesTheWholeTableUnreadable() {
    try (RlsmStore store = open(1)) {
      write(store);
      store.settle();
    }
    String table = fileOf(value(200));
    directory.flipBit(table, 8L * (directory.bytes(table).length - 20));
    try (RlsmStore store = open(2)) {
      VerifyReport report = store.verify(VerifyListener.NONE);
      assertThat(report.damage()).singleElement().satisfies(damage -> {
        assertThat(damage.file()).isEqualTo(table);
        assertThat(covers(damage, "", key(0)) && covers(damage, "", key(200))).isTrue();
      });
    }
  }

  @Test
  void verifyReadsTheLogOfMemoryComponents(@TempDir Path path) throws IOException {
    try (RlsmStore store = RlsmStore.open(path, options)) {
      // So few entries that the segment is not full, flushed and deleted.
      for (int i = 195; i <= 205; i++) {
        store.put(key(i), value(i));
      }
      Path file;
      try (Stream<Path> files = Files.list(path)) {
        file = files
            .filter(each -> each.getFileName().toString().startsWith("wal-"))
            .filter(each -> indexIn(each, value(200)) >= 0)
            .findFirst()
            .orElseThrow();
      }
      int at = indexIn(file, value(200));
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(1), at + 9);
      }
      VerifyReport report = store.verify(VerifyListener.NONE);
      assertThat(report.damage()).singleElement().satisfies(damage -> {
        assertThat(damage.file()).isEqualTo(file.getFileName().toString());
        assertThat(damage.offset()).isBetween(at - 100L, (long) at);
        assertThat(damage.keys()).isEmpty();
      });
    }
  }

  private static int indexIn(Path file, byte[] wanted) {
    try {
      return ClosedStore.indexOf(Files.readAllBytes(file), wanted);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void verifyReadsTheManifest() {
    try (RlsmStore store = open(1)) {
      write(store);
      store.settle();
      String file = directory.list().stream()
          .filter(name -> name.startsWith("MANIFEST-"))
          .max(Comparator.naturalOrder())
          .orElseThrow();
      for (int at = 0; at < directory.bytes(file).length; at++) {
        directory.flipBit(file, 8L * at);
        VerifyReport report = store.verify(VerifyListener.NONE);
        assertThat(report.damage())
            .as("byte " + at)
            .singleElement()
            .satisfies(damage -> assertThat(damage.file()).isEqualTo(file));
        directory.flipBit(file, 8L * at);
      }
    }
  }

  @Test
  void aListenerMayEndTheCheck() {
    try (RlsmStore store = open(1)) {
      write(store);
      assertThatThrownBy(() -> store.verify(new VerifyListener() {
            @Override
            public void progress(long bytesRead, long bytesTotal) {
              throw new StoreClosedException("check");
            }
          }))
          .isInstanceOf(StoreClosedException.class);
    }
  }
}
