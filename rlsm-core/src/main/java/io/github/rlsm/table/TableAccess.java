// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

/**
 * Objects and settings that all open tables of a store share.
 *
 * @param cache decompressed pages
 * @param counters the cost of reads
 * @param verifyEveryRead whether a page's checksum is checked on every read from the file, or only
 *     on the first read after the table was opened. Every read detects bytes that are damaged while
 *     the store is open, and makes lookups two to three times slower
 */
public record TableAccess(PageCache cache, ReadCounters counters, boolean verifyEveryRead) {}
