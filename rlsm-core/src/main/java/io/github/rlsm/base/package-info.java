// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The words every other room uses: internal keys and their order, their frozen hash, entry kinds,
 * value pointers, and the cursor that memory, tables and merges all speak.
 *
 * <p>May import: {@code kv}.
 */
@NullMarked
package io.github.rlsm.base;

import org.jspecify.annotations.NullMarked;
