// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** JMH microbenchmarks of the engine's data structures, one class per question. */
@NullMarked
package io.github.rlsm.bench.micro;

import org.jspecify.annotations.NullMarked;
