// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class GaugeTest {

  @TempDir
  Path directory;

  @Test
  void findsNumberByLineName() {
    String content = "write_bytes: 12\ncancelled_write_bytes: 5\nVmRSS:\t   34 kB\n";
    assertThat(ProcFile.number(content, "write_bytes")).isEqualTo(12);
    assertThat(ProcFile.number(content, "cancelled_write_bytes")).isEqualTo(5);
    assertThat(ProcFile.kibibytes(content, "VmRSS")).isEqualTo(34 << 10);
    assertThat(ProcFile.number(content, "bytes")).isEqualTo(-1);
    assertThat(ProcFile.kibibytes("", "VmRSS")).isEqualTo(-1);
  }

  @Test
  void busyTimeExcludesIdleAndIoWait() {
    String stat = "cpu  100 20 30 9999 8888 4 6 40 77 66\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
    assertThat(CpuTime.busySeconds(stat)).isEqualTo(2.0, within(1e-9));
  }

  @Test
  void unknownFiguresStayUnknown() {
    assertThat(new ProcessIo(-1, -1).since(new ProcessIo(-1, -1))).isEqualTo(new ProcessIo(-1, -1));
    assertThat(new ProcessIo(10, 20).since(new ProcessIo(4, 5))).isEqualTo(new ProcessIo(6, 15));
    assertThat(new CpuTime(3, -1).since(new CpuTime(1, -1))).isEqualTo(new CpuTime(2, -1));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void countsWrittenBytes() throws IOException {
    ProcessIo before = ProcessIo.now();
    Files.write(directory.resolve("file"), new byte[1 << 20]);
    ProcessIo written = ProcessIo.now().since(before);
    assertThat(DiskUsage.of(directory)).isGreaterThanOrEqualTo(1 << 20);
    // A memory file system writes nothing; other file systems may also write the directory.
    assertThat(written.bytesWritten())
        .satisfiesAnyOf(
            bytes -> assertThat(bytes).isZero(),
            bytes -> assertThat(bytes).isBetween(1L << 20, 2L << 20));
  }

  @Test
  void findsDeviceByNumber() {
    assertThat(DeviceReads.counters(0xfe01)).isEqualTo("/sys/dev/block/254:1/stat");
    // A minor number of more than eight bits has the rest above the major number.
    assertThat(DeviceReads.counters(0x121_0345L)).isEqualTo("/sys/dev/block/259:4677/stat");
    assertThat(DeviceReads.completed("   1234      5 6 7\n")).isEqualTo(1234);
  }

  @Test
  void readsOfDeviceDoNotFall() {
    DeviceReads reads = DeviceReads.of(directory);
    Long before = reads.count();
    Long after = reads.count();
    if (before == null) {
      assertThat(after).isNull();
    } else {
      assertThat(after).isGreaterThanOrEqualTo(before);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void diskUsageExcludesHoles() throws IOException {
    try (RandomAccessFile file =
        new RandomAccessFile(directory.resolve("sparse").toFile(), "rw")) {
      file.setLength(1 << 30);
    }
    assertThat(DiskUsage.of(directory)).isLessThan(1 << 20);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void recordsMemoryPeaks() {
    try (MemorySampler sampler = new MemorySampler()) {
      byte[] large = new byte[64 << 20];
      MemoryPeak peak = sampler.takePeak();
      assertThat(peak.heap()).isGreaterThan(large.length);
      assertThat(peak.anonymous()).isPositive();
      assertThat(peak.resident()).isGreaterThanOrEqualTo(peak.anonymous());
    }
  }
}
