// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.KeyRange;

/**
 * The parameters of a scan.
 *
 * @param range the range of internal keys
 * @param descending whether the greatest key comes first
 * @param limit the maximum number of entries
 * @param keysOnly whether values are left out
 */
public record ScanRequest(KeyRange range, boolean descending, long limit, boolean keysOnly) {}
