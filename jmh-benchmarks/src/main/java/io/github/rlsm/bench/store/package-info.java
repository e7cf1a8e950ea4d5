// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The compared stores, behind one small interface. Entry points:
 * {@link io.github.rlsm.bench.store.StoreKind}, {@link io.github.rlsm.bench.store.BenchStore},
 * {@link io.github.rlsm.bench.store.Session}, {@link io.github.rlsm.bench.store.StoreSettings}.
 */
@NullMarked
package io.github.rlsm.bench.store;

import org.jspecify.annotations.NullMarked;
