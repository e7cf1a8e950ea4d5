// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.preflight;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * A filter whose deserialization on a region server proves that the server runs the right HBase and
 * can create a store engine. HBase's client sends the name of a filter's class with a read. The
 * region server loads the class and calls {@link #parseFrom}. This creates the engine through the
 * class loader of HBase's own store classes, as the opening of a store does. The read itself
 * returns nothing.
 *
 * <p>Threads: one.
 */
public final class ServerProbe extends FilterBase {

  private static final String SEPARATOR = "\n";

  private final String engine;
  private final String line;

  /**
   * Creates a probe.
   *
   * @param engine the class of the store engine
   * @param line how the server's HBase version must begin
   */
  public ServerProbe(String engine, String line) {
    this.engine = engine;
    this.line = line;
  }

  /** Called by HBase on the region server, by reflection. */
  public static ServerProbe parseFrom(byte[] bytes) throws DeserializationException {
    String[] parts = Bytes.toString(bytes).split(SEPARATOR, 2);
    String engine = parts[0];
    String line = parts[1];
    if (!VersionInfo.getVersion().startsWith(line)) {
      throw new DeserializationException("HBase " + VersionInfo.getVersion() + " runs there");
    }
    try {
      Class.forName(engine, true, StoreEngine.class.getClassLoader())
          .asSubclass(StoreEngine.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
      throw new DeserializationException(e);
    }
    return new ServerProbe(engine, line);
  }

  @Override
  public byte[] toByteArray() {
    return (engine + SEPARATOR + line).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean filterAllRemaining() {
    return true;
  }

  @Override
  public boolean filterRowKey(Cell cell) {
    return true;
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    return ReturnCode.NEXT_ROW;
  }
}
