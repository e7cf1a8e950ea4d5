// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.values.ValueReferenceTag;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rolling upgrade and its way back: a server meets files of another version of the engine. Each
 * entry and each tag of the engine is given the next version number. Such files are as good as
 * files without these entries.
 */
@RunsHBase
class OtherVersionTest {

  private static final int COMPACTIONS_MAX = 300;
  private static final int ROWS = 600;
  private static final int VALUE_BYTES = 500;

  /** The version is the first byte of an entry, and this byte of a shadow's tags. */
  private static final int TAG_VERSION = 14;

  private static final List<byte[]> ENTRIES =
      List.of(StoreFileSet.MARK_KEY, StoreFileSet.VALUES_KEY, StoreFileSet.FORMER_KEY);

  @TempDir
  private java.nio.file.Path folder;

  private final Random random = new Random(1);

  @Test
  void filesOfAnotherVersionLoseNothing() throws IOException {
    try (TestRegion region = region()) {
      for (int round = 0; round < 12; round++) {
        write(region);
      }
      region.compactAll(COMPACTIONS_MAX);
      write(region);
      List<String> lines = region.read(new Scan());
      assertThat(region.fileSet().now().values().keys()).isNotEmpty();
      assertThat(region.fileSet().now().values().values()).isNotEmpty();

      region.shut();
      assertThat(renumber(region)).as("files with an entry").isGreaterThan(3);
      region.open();
      assertThat(region.fileSet().now().values().keys()).isEmpty();
      assertThat(region.fileSet().now().values().values()).isEmpty();
      assertThat(region.read(new Scan())).isEqualTo(lines);

      // This server goes on with the files of the other one.
      write(region);
      lines = region.read(new Scan());
      region.compactAll(COMPACTIONS_MAX);
      assertThat(region.read(new Scan())).isEqualTo(lines);
      region.reopen();
      assertThat(region.read(new Scan())).isEqualTo(lines);
      region.compactEverything();
      assertThat(region.read(new Scan())).isEqualTo(lines);
      assertThat(region.fileSet().now().values().keys()).isNotEmpty();
    }
  }

  private TestRegion region() throws IOException {
    return new TestRegion(
        folder,
        "other",
        4_096,
        Map.of(
            StoreSettings.SEPARATED_BYTES,
            "100",
            StoreSettings.PARTITION_BYTES,
            "100000",
            StoreSettings.VALUE_FILE_BYTES,
            "100000"));
  }

  /** A flush with new values, old rows and deletes. */
  private void write(TestRegion region) throws IOException {
    for (int i = 0; i < ROWS / 6; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      region
          .region()
          .put(new Put(randomRow()).addColumn(TestRegion.FAMILY, TestRegion.FAMILY, value));
    }
    for (int i = 0; i < ROWS / 60; i++) {
      region.region().delete(new Delete(randomRow()));
    }
    region.region().flush(true);
  }

  private byte[] randomRow() {
    return TestRegion.row(random.nextInt(ROWS));
  }

  /** Gives the next version to all entries and tags; returns the number of changed files. */
  private static int renumber(TestRegion region) throws IOException {
    FileSystem files = region.folder().getFileSystem(region.conf());
    int changed = 0;
    for (FileStatus file : files.listStatus(region.folder())) {
      changed += file.isFile() && renumber(region, files, file.getPath()) ? 1 : 0;
    }
    return changed;
  }

  private static boolean renumber(TestRegion region, FileSystem files, Path path)
      throws IOException {
    Path copy = new Path(region.root(), "copy");
    try (HFile.Reader reader =
        HFile.createReader(files, path, CacheConfig.DISABLED, true, region.conf())) {
      HFileInfo info = reader.getHFileInfo();
      if (ENTRIES.stream().noneMatch(info::containsKey)) {
        return false;
      }
      try (HFile.Writer writer = HFile.getWriterFactoryNoCache(region.conf())
              .withPath(files, copy)
              .withFileContext(reader.getFileContext())
              .create();
          HFileScanner cells = reader.getScanner(region.conf(), false, true, false)) {
        for (boolean more = cells.seekTo(); more; more = cells.next()) {
          writer.append(renumbered(cells.getCell()));
        }
        for (Map.Entry<byte[], byte[]> entry : info.entrySet()) {
          // The writer sets HBase's own entries, and the copy has no Bloom filter.
          String name = Bytes.toString(entry.getKey());
          if (!HFileInfo.isReservedFileInfoKey(entry.getKey()) && !name.contains("BLOOM")) {
            boolean ours = ENTRIES.stream().anyMatch(key -> Bytes.equals(key, entry.getKey()));
            writer.appendFileInfo(
                entry.getKey(), ours ? renumbered(entry.getValue()) : entry.getValue());
          }
        }
      }
    }
    assertThat(files.delete(path, false)).isTrue();
    assertThat(files.rename(copy, path)).isTrue();
    return true;
  }

  /** An entry with the next version and its own checksum. */
  private static byte[] renumbered(byte[] entry) {
    ByteBuffer bytes = ByteBuffer.wrap(entry.clone());
    int end = entry.length - Integer.BYTES;
    bytes.put(0, (byte) (entry[0] + 1));
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.array(), 0, end);
    return bytes.putInt(end, (int) checksum.getValue()).array();
  }

  private static Cell renumbered(Cell cell) {
    if (ValueReferenceTag.of(cell) == null) {
      return cell;
    }
    KeyValue copy = KeyValueUtil.copyToNewKeyValue(cell);
    copy.getTagsArray()[copy.getTagsOffset() + TAG_VERSION]++;
    assertThat(ValueReferenceTag.of(copy)).isNull();
    return copy;
  }
}
