// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** Microbenchmarks of the engine's structures, one class per question, for JMH. */
@NullMarked
package io.github.rlsm.bench.micro;

import org.jspecify.annotations.NullMarked;
