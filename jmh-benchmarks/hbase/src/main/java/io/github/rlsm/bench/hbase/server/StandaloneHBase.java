// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import io.github.rlsm.bench.result.Json;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A standalone HBase: a folder with its configuration, log and data, and a process that can be
 * started, killed and started again. Acknowledged writes have left the process, because files are
 * written without Hadoop's checksum layer, which would buffer data.
 *
 * <p>Threads: one.
 */
public final class StandaloneHBase implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StandaloneHBase.class);
  private static final String NONE = "-1";

  /** The ports from here to {@link #PORT_MAX} are below the range of Linux's ephemeral ports. */
  private static final int PORT_MIN = 12_000;

  private static final int PORT_MAX = 32_000;
  /** Counts up from a random number, because several processes may look for ports. */
  private static final AtomicInteger PORTS =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(PORT_MAX - PORT_MIN));

  private final Path folder;
  private final List<String> jvmArguments;
  private final String classPath;
  private final Map<String, String> site = new TreeMap<>();
  private @Nullable ChildJvm process;

  /**
   * Configures a server; {@link #start} starts it.
   *
   * @param folder the folder for all files of the server
   * @param properties properties of its hbase-site.xml, besides the necessary ones
   * @param jvmArguments arguments of its JVM, besides the necessary ones
   */
  public StandaloneHBase(Path folder, Map<String, String> properties, List<String> jvmArguments)
      throws IOException {
    this(
        folder,
        properties,
        jvmArguments,
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
  }

  /**
   * Configures a server with another class path than this JVM; {@link #start} starts it.
   *
   * @param folder the folder for all files of the server
   * @param properties properties of its hbase-site.xml, besides the necessary ones
   * @param jvmArguments arguments of its JVM, besides the necessary ones
   * @param classPath the jars of HBase and of this module, in the form that the option -cp has
   */
  public StandaloneHBase(
      Path folder, Map<String, String> properties, List<String> jvmArguments, String classPath)
      throws IOException {
    this.classPath = classPath;
    this.folder = folder.toAbsolutePath();
    this.jvmArguments = List.copyOf(jvmArguments);
    Files.createDirectories(this.folder.resolve("conf"));
    int keeperPort = freePort();
    int masterPort = freePort();
    site.put("hbase.rootdir", data().toUri().toString());
    site.put("hbase.tmp.dir", this.folder.resolve("tmp").toString());
    site.put("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    site.put("hbase.unsafe.stream.capability.enforce", "false");
    site.put("hbase.wal.provider", "filesystem");
    site.put("hbase.cluster.distributed", "false");
    site.put("hbase.zookeeper.quorum", "localhost");
    site.put("hbase.zookeeper.property.dataDir", this.folder.resolve("keeper").toString());
    site.put("hbase.zookeeper.property.clientPort", Integer.toString(keeperPort));
    site.put("zookeeper.session.timeout", "10000");
    site.put("hbase.master.hostname", "localhost");
    site.put("hbase.master.port", Integer.toString(masterPort));
    site.put("hbase.master.info.port", NONE);
    site.put("hbase.masters", "localhost:" + masterPort);
    site.put("hbase.unsafe.regionserver.hostname", "localhost");
    site.put("hbase.regionserver.port", Integer.toString(freePort()));
    site.put("hbase.regionserver.info.port", NONE);
    site.putAll(properties);
  }

  /**
   * Returns a port that no process listens on, another one at each call. The kernel hands it to no
   * socket that asks for any port: such a port could be taken before the server binds it.
   */
  public static int freePort() {
    while (true) {
      int port = PORT_MIN + Math.floorMod(PORTS.getAndIncrement(), PORT_MAX - PORT_MIN);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException e) {
        LOG.debug("port {} is in use", port, e);
      }
    }
  }

  /** The folder of tables and logs. */
  public Path data() {
    return folder.resolve("data");
  }

  /** The file that receives the standard error of the process. */
  public Path log() {
    return folder.resolve("log");
  }

  /** The configuration for a client of this server. */
  public Configuration client() {
    Configuration conf = HBaseConfiguration.create();
    site.forEach(conf::set);
    return conf;
  }

  /** Starts the process and waits until its master is ready. */
  public void start() throws IOException {
    Path conf = folder.resolve("conf");
    Files.writeString(conf.resolve("hbase-site.xml"), xml());
    ChildJvm started = new ChildJvm(
        log(),
        jvmArguments,
        conf + System.getProperty("path.separator") + classPath,
        List.of(ServerMain.class.getName()));
    process = started;
    started.await(ServerMain.READY);
  }

  private String xml() {
    StringBuilder xml = new StringBuilder("<configuration>\n");
    site.forEach((name, value) -> xml.append("<property><name>")
        .append(name)
        .append("</name><value>")
        .append(value)
        .append("</value></property>\n"));
    return xml.append("</configuration>\n").toString();
  }

  /** Reads the server's counters since its start. */
  public ServerCounters figures() throws IOException {
    ChildJvm running = process;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    Path file = folder.resolve("figures.json");
    running.send(file.toString());
    running.await(ServerMain.DONE);
    return Json.read(file, ServerCounters.class);
  }

  /** Kills the process like {@code kill -9}, and waits until it has ended. */
  public void kill() {
    ChildJvm running = process;
    if (running != null) {
      running.close();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
