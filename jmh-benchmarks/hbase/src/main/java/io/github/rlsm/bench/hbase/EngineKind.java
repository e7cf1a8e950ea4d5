// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import io.github.rlsm.hbase.RlsmStoreEngine;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.StripeStoreEngine;

/** The store engines that are measured, each with what its manual asks for beside its name. */
public enum EngineKind {
  /** HBase's usual one. */
  DEFAULT(DefaultStoreEngine.class.getName()),

  /** HBase's own with ranges; it needs more files than flushes wait for by default. */
  STRIPE(StripeStoreEngine.class.getName()),

  /** Ours. */
  RLSM(RlsmStoreEngine.class.getName());

  private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

  private final String className;

  EngineKind(String className) {
    this.className = className;
  }

  /** What names it in {@code hbase.hstore.engine.class}. */
  public String className() {
    return className;
  }

  /** The options of a table that is to have it. */
  public Map<String, String> options() {
    return this == STRIPE ? Map.of("hbase.hstore.blockingStoreFiles", "100") : Map.of();
  }

  /** Its name on the command line and in tables. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The engines that a comma-separated list names. */
  public static List<EngineKind> parse(String names) {
    return COMMA
        .splitAsStream(names)
        .map(name -> valueOf(name.toUpperCase(Locale.ROOT)))
        .toList();
  }
}
