// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * An ordered, durable, embedded key-value engine. Start at {@link io.github.rlsm.Rlsm}.
 *
 * <p>Some options need a library: {@code compression} needs {@code org.lz4.java} or
 * {@code com.github.luben.zstd_jni}, {@code pinShards} needs {@code affinity}. The module graph
 * holds such a library only if a module requires it, or {@code --add-modules} names it.
 */
@SuppressWarnings("requires-automatic")
module io.github.rlsm {
  requires com.dynatrace.hash4j;
  requires com.github.benmanes.caffeine;
  requires com.sun.jna;
  requires io.netty.buffer;
  requires jdk.jfr;
  requires jdk.unsupported; // unmaps memory before Java 22
  requires org.jctools.core.jdk11;
  requires transitive io.github.rlsm.kv;
  requires static affinity; // optional, and named after the file of its jar
  requires static com.github.luben.zstd_jni;
  requires static com.google.errorprone.annotations;
  requires static org.lz4.java;
  requires static transitive org.jspecify;

  exports io.github.rlsm;
}
