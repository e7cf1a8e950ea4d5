// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

/**
 * When something is due.
 *
 * @param partitionBytesMax the size over which a partition is divided; 0 for never
 * @param wideFilesMin how many wide files are appended together at least
 * @param runCountMax how many runs a partition may have
 * @param filesMax how many files one minor compaction may read, but for what order demands
 * @param fileBytesMax the size over which a file is left to major compactions
 */
public record Thresholds(
    long partitionBytesMax, int wideFilesMin, int runCountMax, int filesMax, long fileBytesMax) {}
