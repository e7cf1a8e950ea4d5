// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/** Settings for a test: the defaults with some changes. */
final class SettingsBuilder {

  int l0Trigger = PolicySettings.DEFAULT.l0Trigger();
  int victimCountMin = PolicySettings.DEFAULT.victimCountMin();
  long compactBytesMax = PolicySettings.DEFAULT.compactBytesMax();
  long partitionBytesMax = PolicySettings.DEFAULT.partitionBytesMax();
  long partitionBytesMin = PolicySettings.DEFAULT.partitionBytesMin();
  int runCountMax = PolicySettings.DEFAULT.runCountMax();
  double deadFractionMax = PolicySettings.DEFAULT.deadFractionMax();
  double pinnedFractionMax = PolicySettings.DEFAULT.pinnedFractionMax();
  long linkBytesMin = PolicySettings.DEFAULT.linkBytesMin();
  long newRangeEntriesMin = PolicySettings.DEFAULT.newRangeEntriesMin();
  long flushBytes = PolicySettings.DEFAULT.flushBytes();
  int parallelism = PolicySettings.DEFAULT.parallelism();

  SettingsBuilder l0(int trigger, int victimsMin) {
    l0Trigger = trigger;
    victimCountMin = victimsMin;
    return this;
  }

  SettingsBuilder compactBytesMax(long bytes) {
    compactBytesMax = bytes;
    return this;
  }

  SettingsBuilder partitionBytes(long min, long max) {
    partitionBytesMin = min;
    partitionBytesMax = max;
    return this;
  }

  SettingsBuilder runCountMax(int count) {
    runCountMax = count;
    return this;
  }

  SettingsBuilder deadFractionMax(double fraction) {
    deadFractionMax = fraction;
    return this;
  }

  SettingsBuilder pinnedFractionMax(double fraction) {
    pinnedFractionMax = fraction;
    return this;
  }

  SettingsBuilder linkBytesMin(long bytes) {
    linkBytesMin = bytes;
    return this;
  }

  SettingsBuilder newRangeEntriesMin(long entries) {
    newRangeEntriesMin = entries;
    return this;
  }

  SettingsBuilder flushBytes(long bytes) {
    flushBytes = bytes;
    return this;
  }

  SettingsBuilder parallelism(int jobs) {
    parallelism = jobs;
    return this;
  }

  PolicySettings build() {
    return new PolicySettings(
        new PolicySettings.Level0(l0Trigger, victimCountMin, compactBytesMax),
        new PolicySettings.Partitions(partitionBytesMin, partitionBytesMax, newRangeEntriesMin),
        new PolicySettings.Runs(runCountMax, linkBytesMin, deadFractionMax, pinnedFractionMax),
        flushBytes,
        parallelism);
  }
}
