// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

/**
 * A key at the start of some pages of a table, and the bytes of the table up to the next sample.
 *
 * @param key at most the first key of these pages, and greater than all keys before them; need not
 *     be a key of the table
 * @param bytes length of the pages from this sample to the next, or to the end of the sampled range
 */
@SuppressWarnings("ArrayRecordComponent") // samples are never compared
public record KeySample(byte[] key, long bytes) {}
