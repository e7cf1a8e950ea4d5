// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The binding between YCSB and a {@link io.github.rlsm.kv.KvStore}. It has everything that a stock
 * {@code site.ycsb.Client} needs, and is independent of the launcher.
 *
 * <p>Entry points: {@link site.ycsb.db.rlsm.RlsmClient} is the class for YCSB's {@code -db}.
 * {@link site.ycsb.db.rlsm.StoreOpener} plugs in another store.
 * {@link site.ycsb.db.rlsm.StoreLease} shares one open store with a program around the clients.
 *
 * <p>Imports {@code io.github.rlsm.kv}, YCSB, and only the public API of the engine.
 */
@NullMarked
package site.ycsb.db.rlsm;

import org.jspecify.annotations.NullMarked;
