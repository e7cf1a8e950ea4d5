// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An HDFS in a separate process, from {@link HdfsMain}.
 *
 * <p>Threads: one.
 */
public final class Hdfs implements AutoCloseable {

  private final ChildJvm process;
  private final String address;

  /**
   * Starts an empty HDFS.
   *
   * @param folder the folder for its files
   */
  public Hdfs(Path folder) throws IOException {
    // Hadoop's servers of pages need these folders on the class path, and its jar lacks them.
    Path pages = folder.resolve("pages");
    Files.createDirectories(pages.resolve("webapps").resolve("hdfs"));
    Files.createDirectories(pages.resolve("webapps").resolve("datanode"));
    process = new ChildJvm(
        folder.resolve("log"),
        List.of("-Xmx1g"),
        System.getProperty("java.class.path") + System.getProperty("path.separator") + pages,
        List.of(HdfsMain.class.getName(), folder.toString()));
    address = process.await(HdfsMain.READY);
  }

  /** The address of the name node, as a URI without a path. */
  public String address() {
    return address;
  }

  /** The number of bytes that name node and data nodes have written to storage. */
  public long bytesWritten() throws IOException {
    process.send("");
    return Long.parseLong(process.await(HdfsMain.WRITTEN));
  }

  @Override
  public void close() {
    process.close();
  }
}
