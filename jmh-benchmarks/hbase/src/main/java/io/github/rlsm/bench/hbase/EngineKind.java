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

/** The measured store engines, each with the table options that its manual recommends. */
public enum EngineKind {
  /** HBase's default engine. */
  DEFAULT(DefaultStoreEngine.class.getName()),

  /** HBase's own engine with row ranges; it needs more files than the default limit for flushes. */
  STRIPE(StripeStoreEngine.class.getName()),

  /** The RLSM engine. */
  RLSM(RlsmStoreEngine.class.getName()),

  /** The RLSM engine with separation of large values. */
  RLSM_SEPARATED(RlsmStoreEngine.class.getName());

  private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

  private final String className;

  EngineKind(String className) {
    this.className = className;
  }

  /** The value of {@code hbase.hstore.engine.class}. */
  public String className() {
    return className;
  }

  /** Whether it is the RLSM engine. */
  boolean isOurs() {
    return this == RLSM || this == RLSM_SEPARATED;
  }

  /** The options of a table with this engine. */
  public Map<String, String> options() {
    return switch (this) {
      case STRIPE -> Map.of("hbase.hstore.blockingStoreFiles", "100");
      case RLSM_SEPARATED -> Map.of(StoreSettings.SEPARATED_BYTES, "512");
      case DEFAULT, RLSM -> Map.of();
    };
  }

  /** The name on the command line and in tables. */
  public String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Parses a comma-separated list of engines. */
  public static List<EngineKind> parse(String names) {
    return COMMA
        .splitAsStream(names)
        .map(name -> valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')))
        .toList();
  }
}
