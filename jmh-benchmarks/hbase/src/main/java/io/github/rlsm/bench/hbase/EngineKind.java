// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.config.StoreSettings;
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
  RLSM(RlsmStoreEngine.class.getName()),

  /** Ours with large values beside store files. */
  RLSM_SEPARATED(RlsmStoreEngine.class.getName());

  private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

  private final String className;

  EngineKind(String className) {
    this.className = className;
  }

  /** What names it in {@code hbase.hstore.engine.class}. */
  public String className() {
    return className;
  }

  /** Whether it is ours. */
  boolean isOurs() {
    return this == RLSM || this == RLSM_SEPARATED;
  }

  /** The options of a table that is to have it. */
  public Map<String, String> options() {
    return switch (this) {
      case STRIPE -> Map.of("hbase.hstore.blockingStoreFiles", "100");
      case RLSM_SEPARATED -> Map.of(StoreSettings.SEPARATED_BYTES, "512");
      case DEFAULT, RLSM -> Map.of();
    };
  }

  /** Its name on the command line and in tables. */
  public String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The engines that a comma-separated list names. */
  public static List<EngineKind> parse(String names) {
    return COMMA
        .splitAsStream(names)
        .map(name -> valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')))
        .toList();
  }
}
