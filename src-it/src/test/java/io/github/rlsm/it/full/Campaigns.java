// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.full;

import java.util.List;
import java.util.stream.Stream;

/** The campaigns of the full run, in the order of the test plan. */
final class Campaigns {

  private static final String CORE = "rlsm-core";
  static final String PROCESSES = "src-it";

  private Campaigns() {}

  static List<Campaign> all() {
    return Stream.of(crashes(), failures(), answers(), realProcesses())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Campaign> crashes() {
    return List.of(
        core(
            "crash",
            "T1",
            "power loss at every I/O event of random histories",
            "RlsmCrashTest",
            "crash points",
            1_000_000,
            "t1.points",
            50_000),
        core(
            "writers",
            "T1",
            "power loss while several threads write to one engine",
            "RlsmWritersCrashTest",
            "crash points among writers",
            20_000,
            "t1.writers",
            2_000),
        core(
            "shards",
            "T1",
            "power loss at the I/O events of sharded stores",
            "ShardedEngineCrashTest",
            "crash points over shards",
            50_000,
            "t1.shards",
            5_000),
        core(
            "sequences",
            "T2",
            "power loss at every I/O event of all sequences of up to three operations",
            "RlsmSequencesCrashTest",
            "sequences",
            6_245, // 18 + 18² + 18³ on one engine; over both shards 71 of 5 + 5² + 5³
            "t2.length",
            3),
        core(
            "bugs",
            "bugs",
            "bugs seeded into the engine, each caught by the right assertion",
            "bugs.EngineBugsTest",
            "bugs caught",
            91,
            "bugs",
            1_000));
  }

  private static List<Campaign> failures() {
    return List.of(
        core(
            "faults",
            "T5",
            "the k-th call to the directory fails: every k, eight faults, once and permanently",
            "RlsmEveryFaultTest",
            "failing calls",
            32_000,
            "t5.runs",
            1_000_000),
        core(
            "bits",
            "T4",
            "every bit of every file of five closed stores flips: found, or without effect",
            "RlsmBitRotTest",
            "flipped bits",
            1_000_000,
            "t4.every",
            1),
        core(
            "memory",
            "T5",
            "the n-th allocation of a history fails",
            "RlsmAllocationFaultTest",
            "failed allocations",
            30_000,
            "t5.allocations",
            1_500),
        processes(
            "cuts",
            "T5",
            "files are cut under open stores: right answers or typed errors, and the JVM lives",
            "MappedFaultTest",
            "stores with files cut under them",
            2_000,
            "t5.cuts.hot",
            200),
        processes(
            "force",
            "T6",
            "a real fsync fails on ext4, xfs and btrfs",
            "FailedForceTest",
            "failed forces",
            300,
            "t6.forces",
            10));
  }

  private static List<Campaign> answers() {
    return List.of(
        core(
            "model",
            "T9",
            "random operations compared with a model, options redrawn at each open",
            "RlsmModelTest",
            "histories",
            10_000,
            "t9.seeds",
            200),
        core(
            "linear",
            "T10",
            "histories of concurrent clients are linearizable",
            "LinearizabilityTest",
            "histories",
            10_000,
            "t10.histories",
            1_000),
        core(
            "rejected",
            "T10",
            "histories of seeded bugs are rejected",
            "LinearizabilityTest",
            "rejected histories",
            1_000,
            "t10.bugs",
            200),
        core(
            "random-input",
            "T12",
            "random changes of inputs of every decoder of bytes from disk",
            "FuzzTest",
            "random inputs",
            100_000_000,
            "t12.inputs",
            1_000_000));
  }

  private static List<Campaign> realProcesses() {
    return List.of(
        processes(
            "kill",
            "T7",
            "kill -9 of a process that acknowledges over a pipe, or halt at a file operation",
            "KillTest",
            "processes killed, and their stores checked",
            10_000,
            "t7.kills",
            500),
        processes(
            "device-kill",
            "T7",
            "kill -9 with a log device, and with loss of what was never forced",
            "DeviceKillTest",
            "processes killed, and their stores checked",
            2_000,
            "t7.kills",
            500),
        processes(
            "disk",
            "T6",
            "tmpfs, ext4 and xfs run full, and the store goes on when there is room",
            "FullDiskTest",
            "times that a disk ran full",
            600,
            "t6.cycles",
            10),
        processes(
            "short-soak",
            "T13",
            "mixed load: memory, descriptors, threads, mappings and space stay the same",
            "SoakTest",
            "minutes of mixed load",
            30,
            "t13.minutes",
            30),
        processes(
            "soak",
            "T13",
            "the same for a day, in one process",
            "SoakTest",
            "minutes of mixed load",
            1_440,
            "t13.minutes",
            1_440));
  }

  private static Campaign core(
      String name,
      String test,
      String what,
      String testClass,
      String reported,
      long goal,
      String size,
      int perChunk) {
    return new Campaign(
        name,
        test,
        what,
        CORE,
        List.of("io.github.rlsm." + testClass),
        reported,
        goal,
        size,
        perChunk,
        List.of());
  }

  private static Campaign processes(
      String name,
      String test,
      String what,
      String testClass,
      String reported,
      long goal,
      String size,
      int perChunk) {
    return new Campaign(
        name,
        test,
        what,
        PROCESSES,
        List.of("io.github.rlsm.it." + testClass),
        reported,
        goal,
        size,
        perChunk,
        List.of());
  }
}
