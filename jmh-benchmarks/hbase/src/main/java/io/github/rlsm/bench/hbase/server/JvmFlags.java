// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import java.util.ArrayList;
import java.util.List;

/** The JVM flags that HBase 2.6 and its Hadoop need on a Java version after 8. */
public final class JvmFlags {

  private static final List<String> OPENED = List.of(
      "java.io",
      "java.lang",
      "java.lang.reflect",
      "java.nio",
      "java.util",
      "java.util.concurrent",
      "jdk.internal.ref",
      "jdk.internal.util.random",
      "sun.nio.ch");
  private static final List<String> EXPORTED = List.of(
      "java.base/jdk.internal.misc",
      "java.base/sun.net.dns",
      "java.base/sun.net.util",
      "java.security.jgss/sun.security.krb5");

  private JvmFlags() {}

  /** All flags. */
  public static List<String> all() {
    List<String> flags = new ArrayList<>(List.of(
        "-Djava.net.preferIPv4Stack=true",
        "-Djava.awt.headless=true",
        "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true",
        "--add-modules",
        "jdk.unsupported"));
    OPENED.forEach(
        name -> flags.addAll(List.of("--add-opens", "java.base/" + name + "=ALL-UNNAMED")));
    EXPORTED.forEach(name -> flags.addAll(List.of("--add-exports", name + "=ALL-UNNAMED")));
    return flags;
  }
}
