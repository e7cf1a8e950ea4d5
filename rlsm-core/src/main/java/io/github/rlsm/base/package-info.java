// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The base types of the engine: internal keys with their order and hash, entry kinds, value
 * pointers, and the cursor interface that memory, tables and merges implement. It also has small
 * utilities for byte order, counting and waiting.
 *
 * <p>May import: {@code kv}.
 */
@NullMarked
package io.github.rlsm.base;

import org.jspecify.annotations.NullMarked;
