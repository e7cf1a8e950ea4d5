// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.RunsHBase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads and closes files, and counts how often all blocks of the cache are looked at. */
@RunsHBase
class CacheOfFileTest {

  private static final long CACHE_BYTES = 1 << 20;
  private static final int BLOCK_BYTES = 1_024;
  private static final byte[] FAMILY = {'f'};

  @TempDir
  private Path folder;

  private final Configuration conf = new Configuration(false);
  private final Counted memory = new Counted();

  /** A cache on the heap that notes the names for which it looks at all of its blocks. */
  private static final class Counted extends LruBlockCache {
    private final List<String> evictions = new ArrayList<>();

    Counted() {
      super(CACHE_BYTES, BLOCK_BYTES);
    }

    @Override
    public int evictBlocksByHfileName(String name) {
      evictions.add(name);
      return super.evictBlocksByHfileName(name);
    }
  }

  @AfterEach
  void stop() {
    memory.shutdown();
  }

  private CacheConfig ofStore(BlockCache cache) {
    return new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP);
  }

  private org.apache.hadoop.fs.Path write(String name) throws IOException {
    org.apache.hadoop.fs.Path path =
        new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
    try (HFile.Writer writer = HFile.getWriterFactoryNoCache(conf)
        .withPath(FileSystem.getLocal(conf).getRaw(), path)
        .withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_BYTES).build())
        .create()) {
      for (int i = 100; i < 200; i++) {
        writer.append(new KeyValue(Bytes.toBytes("r" + i), FAMILY, FAMILY, new byte[100]));
      }
    }
    return path;
  }

  private HFile.Reader open(org.apache.hadoop.fs.Path path, CacheConfig cache) throws IOException {
    return HFile.createReader(FileSystem.getLocal(conf).getRaw(), path, cache, true, conf);
  }

  private void readAll(HFile.Reader file) {
    try (HFileScanner scanner = file.getScanner(conf, true, true, false)) {
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        assertThat(scanner.getCell()).isNotNull();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFileWithoutBlocksIsNotSearchedInTheCache() throws IOException {
    org.apache.hadoop.fs.Path path = write("file");
    try (HFile.Reader other = open(write("other"), CacheOfFile.of(ofStore(memory)))) {
      readAll(other);
      long blocks = memory.getBlockCount();
      HFile.Reader file = open(path, CacheOfFile.of(ofStore(memory)));
      file.close(true);
      assertThat(memory.evictions).isEmpty();
      assertThat(memory.getBlockCount()).isEqualTo(blocks);
    }
  }

  @Test
  void blocksOfAFileAreRemovedOnce() throws IOException {
    HFile.Reader file = open(write("file"), CacheOfFile.of(ofStore(memory)));
    readAll(file);
    assertThat(memory.getBlockCount()).isGreaterThan(1);
    file.close(true);
    assertThat(memory.getBlockCount()).isZero();
    file.close(true);
    assertThat(memory.evictions).containsExactly("file");
  }

  /** Another reader of the file may have added them. */
  @Test
  void blocksThatWereFoundInTheCacheAreRemoved() throws IOException {
    org.apache.hadoop.fs.Path path = write("file");
    HFile.Reader adding = open(path, ofStore(memory));
    readAll(adding);
    HFile.Reader file = open(path, CacheOfFile.of(ofStore(memory)));
    readAll(file);
    file.close(true);
    assertThat(memory.getBlockCount()).isZero();
    adding.close(false);
  }

  /** The writer of a file adds blocks with the configuration of the store. */
  @Test
  void blocksThatWereWrittenAreRemoved() throws IOException {
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    HFile.Reader file = open(write("file"), CacheOfFile.of(ofStore(memory)));
    file.close(true);
    assertThat(memory.evictions).containsExactly("file");
  }

  /** HBase changes options of the store while files are open. */
  @Test
  void changedOptionsHold() {
    CacheConfig store = ofStore(memory);
    CacheConfig file = CacheOfFile.of(store);
    assertThat(file.shouldCacheDataOnRead()).isTrue();
    conf.setBoolean(CacheConfig.CACHE_DATA_ON_READ_KEY, false);
    conf.setBoolean(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, true);
    store.onConfigurationChange(conf);
    assertThat(file.shouldCacheDataOnRead()).isFalse();
    assertThat(file.shouldEvictOnClose()).isTrue();
  }

  @Test
  void aCacheWithAnIndexOfFilesIsUsedAsItIs() throws IOException {
    BucketCache second = new BucketCache("offheap", 1 << 25, 1 << 13, null, 1, 16, null);
    CacheConfig combined = ofStore(new CombinedBlockCache(memory, second));
    assertThat(CacheOfFile.of(combined)).isSameAs(combined);
    assertThat(CacheOfFile.of(CacheConfig.DISABLED)).isSameAs(CacheConfig.DISABLED);
    second.shutdown();
  }
}
