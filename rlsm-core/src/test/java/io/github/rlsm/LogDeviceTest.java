// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.shard.ShardedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log devices that are files, and the stores that use them. */
class LogDeviceTest {

  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir
  Path temporary;

  private Path device = Path.of("");

  @BeforeEach
  void name() {
    device = temporary.resolve("device");
  }

  private RlsmStore open(String name) {
    return RlsmStore.open(
        temporary.resolve(name), RlsmOptions.builder().directLog(device).build());
  }

  @Test
  void deviceOfAnotherStoreIsRefusedUntilReleased() {
    LogDevice.at(device).init(1 << 20);
    try (RlsmStore store = open("one")) {
      store.put(KEY, KEY, Durability.SYNC);
      assertThatExceptionOfType(KvException.class)
          .isThrownBy(() -> LogDevice.at(device).status())
          .withMessageContaining("in use by another store of this process");
    }
    assertThat(LogDevice.at(device).status().inUse()).isFalse();
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> open("two"))
        .withMessageContaining("release it");
    assertThatExceptionOfType(KvException.class)
        .isThrownBy(() -> LogDevice.at(device).init(1 << 20))
        .withMessageContainingAll("it carries the log of store", "rlsm");
    LogDevice.at(device).release(false);
    LogDevice.at(device).init(1 << 20);
    open("two").close();
  }

  @Test
  void closedStoreOpensWithoutItsDevice() throws IOException {
    LogDevice.at(device).init(1 << 20);
    try (RlsmStore store = open("store")) {
      store.put(KEY, KEY, Durability.SYNC);
      assertThat(temporary.resolve("store/LOG-DEVICE")).exists();
    }
    assertThat(temporary.resolve("store/LOG-DEVICE")).doesNotExist();
    Files.delete(device);
    Path directory = temporary.resolve("store");
    try (RlsmStore store = RlsmStore.open(directory, RlsmOptions.defaults())) {
      assertThat(store.get(KEY)).isEqualTo(KEY);
    }
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> open("store"))
        .withMessageContaining(device.toString());
    RlsmOptions lenient =
        RlsmOptions.builder().directLog(device).directLogFallback(true).build();
    try (RlsmStore store = RlsmStore.open(directory, lenient)) {
      store.put(KEY, new byte[1], Durability.SYNC);
      assertThat(store.stats().writes().bytesByCause()).containsEntry("log device", 0L);
    }
  }

  /** Opens the files as of before the first write, without any log bytes. */
  @Test
  void deviceRestoresLogsThatTheFilesLost() throws IOException {
    LogDevice.at(device).init(1 << 20);
    Path lost = Files.createDirectories(temporary.resolve("lost"));
    Path deviceThen = temporary.resolve("deviceThen");
    byte[] large = new byte[3000];
    try (RlsmStore store = open("store")) {
      copyWithoutLog(temporary.resolve("store"), lost);
      for (byte i = 0; i < 100; i++) {
        store.put(new byte[] {i}, i % 5 == 0 ? large : KEY, Durability.OS);
        if (i % 7 == 0) {
          store.put(new byte[] {100}, KEY, Durability.SYNC);
        }
      }
      store.sync();
      Files.copy(device, deviceThen);
    }
    RlsmOptions options = RlsmOptions.builder().directLog(deviceThen).build();
    Files.delete(device);
    try (RlsmStore store = RlsmStore.open(lost, options)) {
      for (byte i = 0; i < 100; i++) {
        assertThat(store.get(new byte[] {i})).isEqualTo(i % 5 == 0 ? large : KEY);
      }
      assertThat(store.get(new byte[] {100})).isEqualTo(KEY);
      store.verify();
    }
  }

  private static void copyWithoutLog(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        byte[] bytes = Files.readAllBytes(file);
        Files.write(to.resolve(name), name.endsWith(".log") ? new byte[bytes.length] : bytes);
      }
    }
  }

  @Test
  void reshardingDoesNotNeedTheLogDevices() {
    for (int shard = 0; shard < 2; shard++) {
      LogDevice.at(temporary.resolve("device-000" + shard)).init(1 << 20);
    }
    RlsmOptions two = RlsmOptions.builder().directLog(device).shards(2).build();
    Path directory = temporary.resolve("store");
    try (ShardedStore store = Rlsm.openSharded(directory, two)) {
      for (byte i = 0; i < 20; i++) {
        store.put(new byte[] {i}, KEY, Durability.SYNC);
      }
    }
    RlsmOptions three = RlsmOptions.builder().directLog(device).shards(3).build();
    assertThat(Rlsm.reshard(directory, three)).isEqualTo(20);
    assertThatThrownBy(() -> Rlsm.openSharded(directory, three))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("the log device of store");
    for (int shard = 0; shard < 3; shard++) {
      LogDevice each = LogDevice.at(temporary.resolve("device-000" + shard));
      if (shard < 2) {
        each.release(false);
      }
      each.init(1 << 20);
    }
    try (ShardedStore store = Rlsm.openSharded(directory, three)) {
      for (byte i = 0; i < 20; i++) {
        assertThat(store.get(new byte[] {i})).isEqualTo(KEY);
      }
    }
  }

  @Test
  void everyShardHasItsOwnDevice() {
    for (int shard = 0; shard < 2; shard++) {
      LogDevice.at(temporary.resolve("device-000" + shard)).init(1 << 20);
    }
    RlsmOptions options = RlsmOptions.builder().directLog(device).shards(2).build();
    try (ShardedStore store = Rlsm.openSharded(temporary.resolve("store"), options)) {
      for (byte i = 0; i < 20; i++) {
        store.put(new byte[] {i}, KEY, Durability.SYNC);
      }
    }
    for (int shard = 0; shard < 2; shard++) {
      LogDevice.Status status =
          LogDevice.at(temporary.resolve("device-000" + shard)).status();
      assertThat(status.storeId()).isPresent();
      assertThat(status.inUse()).isFalse();
    }
  }
}
