// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.rlsm.LogDevice;
import io.github.rlsm.proof.Proof;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * T8 of the test plan: checks the order of system calls on which durability depends. It uses traces
 * of the {@link TracedChild} with the log in files and on a log device. Skipped without strace.
 *
 * <p>The checks are tested, too: {@link TraceFault} breaks the rules in a trace, one at a time.
 */
class SystemCallOrderTest {

  private static final String TRACED =
      "trace=openat,write,pwrite64,fsync,fdatasync,msync,mmap,rename,renameat,renameat2,unlink,"
          + "unlinkat";

  /** The location of the traced store's log. */
  enum Log {
    IN_FILES,
    ON_A_DEVICE
  }

  @TempDir
  static Path temporary;

  private static Trace inFiles;
  private static Trace onDevice;

  private static int faultsNoticed;

  @BeforeAll
  static void trace() throws Exception {
    Machine.needsProgram("strace");
    inFiles = trace("files", Optional.empty());
    Path device = temporary.toRealPath().resolve("log-device");
    LogDevice.at(device).init(1 << 20);
    onDevice = trace("device", Optional.of(device));
  }

  @AfterAll
  static void report() {
    if (faultsNoticed > 0) {
      Proof.ran("T8", "faults in a trace noticed", faultsNoticed);
    }
  }

  private static Trace trace(String name, Optional<Path> device) throws Exception {
    Path directory = temporary.toRealPath().resolve(name);
    Path output = temporary.resolve("trace of " + name);
    List<String> strace =
        List.of("strace", "-f", "-y", "-s", "1000000", "-o", output.toString(), "-e", TRACED);
    List<String> arguments = new ArrayList<>(List.of(directory.toString()));
    device.ifPresent(path -> arguments.add(path.toString()));
    try (ChildJvm child = ChildJvm.start(
        strace, TracedChild.class, arguments, temporary.resolve("errors of " + name))) {
      assertThat(child.report()).isEmpty();
      assertThat(child.exitCode()).as(child.errors()).isZero();
    }
    List<SystemCall> calls = SystemCall.parse(Files.readAllLines(output));
    Path scratch = Files.createDirectory(temporary.resolve("manifests of " + name));
    Proof.ran("T8", "system calls checked", calls.size());
    return new Trace(calls, directory, device, new TracedManifest(calls, directory, scratch));
  }

  /** The system calls of a child. */
  record Trace(
      List<SystemCall> calls, Path directory, Optional<Path> device, TracedManifest manifest) {

    TracedOrder order() {
      return new TracedOrder(calls, directory, device, manifest);
    }

    /** The rules for this trace with a fault. */
    TracedOrder order(TraceFault fault) {
      List<SystemCall> broken = fault.seed(this);
      assertThat(broken).as("the fault changes the trace").isNotEqualTo(calls);
      return new TracedOrder(broken, directory, device, manifest);
    }

    TracedWrite write(int number) {
      return TracedWrite.parse(calls).get(number);
    }
  }

  private static Trace of(Log log) {
    return log == Log.IN_FILES ? inFiles : onDevice;
  }

  @ParameterizedTest
  @EnumSource
  void tablesAreForcedBeforeTheManifestIsWritten(Log log) {
    of(log).order().tablesAreForcedBeforeTheManifestIsWritten();
  }

  @ParameterizedTest
  @EnumSource
  void valuesAreForcedBeforeTheManifestIsWritten(Log log) {
    of(log).order().valuesAreForcedBeforeTheManifestIsWritten();
  }

  @ParameterizedTest
  @EnumSource
  void flushIsForcedBeforeItIsAcknowledged(Log log) {
    of(log).order().flushIsForcedBeforeItIsAcknowledged();
  }

  @ParameterizedTest
  @EnumSource
  void tablesAreRemovedAfterTheEditThatDropsThemIsForced(Log log) {
    of(log).order().tablesAreRemovedAfterTheEditThatDropsThemIsForced();
  }

  @ParameterizedTest
  @EnumSource
  void markerIsSwitchedInOrder(Log log) {
    of(log).order().markerIsSwitchedInOrder();
  }

  @ParameterizedTest
  @EnumSource
  void everyByteIsDurableBeforeAForcedWriteIsAcknowledged(Log log) {
    of(log).order().everyByteIsDurableBeforeAForcedWriteIsAcknowledged();
  }

  @ParameterizedTest
  @EnumSource
  void segmentsAreDurableBeforeAForcedWriteIsAcknowledged(Log log) {
    of(log).order().segmentsAreDurableBeforeAForcedWriteIsAcknowledged();
  }

  @ParameterizedTest
  @EnumSource(names = "ON_A_DEVICE")
  void logDeviceIsWrittenDurably(Log log) {
    of(log).order().logDeviceIsWrittenDurably();
  }

  @ParameterizedTest
  @MethodSource
  void everyFaultIsDetected(TraceFault fault, Log log, Consumer<TracedOrder> check) {
    check.accept(of(log).order());
    TracedOrder broken = of(log).order(fault);
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> check.accept(broken));
    faultsNoticed++;
  }

  static Stream<Arguments> everyFaultIsDetected() {
    return Stream.of(TraceFault.values())
        .flatMap(fault -> Stream.of(Log.values())
            .filter(log -> log == Log.ON_A_DEVICE ? fault.suitsDevice() : fault.suitsFiles())
            .map(log -> Arguments.of(fault, log, Named.of("its check", fault.noticedBy()))));
  }
}
