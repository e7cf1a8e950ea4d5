// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

/**
 * What the open tables of a store share.
 *
 * @param cache decompressed pages
 * @param counters what reading cost
 * @param verifyEveryRead whether a page's checksum is checked each time it is read from the file;
 *     if not, the first time after the table was opened. Every time catches bytes that go bad under
 *     an open store, and makes lookups two to three times slower
 */
public record TableAccess(PageCache cache, ReadCounters counters, boolean verifyEveryRead) {}
