// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

/**
 * A key that pages of a table begin at, and how much of the table follows it.
 *
 * @param key not greater than any key of those pages, and greater than any key before them; need
 *     not be a key of the table
 * @param bytes length of the pages from this sample to the next, or to the end of what was sampled
 */
@SuppressWarnings("ArrayRecordComponent") // a key is bytes; samples are not compared
public record KeySample(byte[] key, long bytes) {}
