// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * An ordered, durable, embedded key-value engine. Start at {@link io.github.rlsm.Rlsm}.
 *
 * <p>Some options need a library. For {@code compression}, it is {@code org.lz4.java} or
 * {@code com.github.luben.zstd_jni}. The module graph holds such a library only if a module
 * requires it, or {@code --add-modules} names it. For {@code pinShards}, it is
 * {@code net.openhft:affinity} with SLF4J. Both are on the class path, or {@code --add-modules
 * affinity,org.slf4j} names them.
 */
@SuppressWarnings("requires-automatic")
module io.github.rlsm {
  requires com.dynatrace.hash4j;
  requires com.github.benmanes.caffeine;
  requires com.sun.jna;
  requires io.netty.buffer;
  requires jdk.jfr;
  requires jdk.management; // reports free memory
  requires jdk.unsupported; // unmaps memory before Java 22
  requires org.jctools.core.jdk11;
  requires transitive io.github.rlsm.kv;
  requires static com.github.luben.zstd_jni;
  requires static com.google.errorprone.annotations;
  requires static org.lz4.java;
  requires static transitive org.jspecify;

  exports io.github.rlsm;
}
