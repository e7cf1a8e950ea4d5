// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedChecksum;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.kv.CorruptionException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The blocks of a table that are read and checked when it is opened: all except its pages.
 *
 * @param properties the content of the table in numbers
 * @param fences find the page of a key
 * @param filter the hashes that the table may contain
 */
record TableBlocks(TableProperties properties, Fences fences, BloomFilter filter) {

  /** Reads the footer of a table. Checks that the file is a table with this store and number. */
  static TableFooter readFooter(MappedFile file, long storeId, long fileNumber) {
    String name = file.name();
    int length = file.length();
    int headerOffset = length - FileHeader.BYTES;
    if (length < TableFooter.BYTES || !FileHeader.isPresent(file.memory(), headerOffset)) {
      throw new CorruptionException(
          name,
          Math.max(0, headerOffset),
          "the file does not end with a table's footer: it is truncated, or not a table");
    }
    try {
      FileHeader.decode(file.memory().slice(headerOffset, FileHeader.BYTES), name)
          .expect(name, FileKind.TABLE, storeId, fileNumber);
    } catch (CorruptionException e) {
      // The inner exception has an offset relative to the header, which other files have at offset
      // 0.
      throw new CorruptionException(name, headerOffset, "the header at the file's end is wrong", e);
    }
    return TableFooter.decode(file.memory(), length, name);
  }

  /** Reads and checks the blocks that a footer describes. */
  static TableBlocks read(MappedFile file, TableFooter footer) {
    ByteBuffer memory = file.memory();
    String name = file.name();
    check(file, footer.propertiesOffset(), footer.properties(), "properties");
    TableProperties properties = PropertiesLayout.decode(
        memory, footer.propertiesOffset(), footer.properties().length());
    if (properties == null) {
      throw new CorruptionException(
          name, footer.propertiesOffset(), "the properties are inconsistent");
    }
    check(file, footer.fencesOffset(), footer.fences().block(), "fences");
    Fences fences = new Fences(memory, footer);
    String problem = fences.problem(footer.pages().length(), properties.entries());
    if (problem != null) {
      throw new CorruptionException(name, footer.fencesOffset(), problem);
    }
    check(file, footer.filterOffset(), footer.filter().block(), "filter");
    BloomFilter filter = new BloomFilter(
        memory,
        footer.filterOffset(),
        footer.filter().block().length(),
        footer.filter().probes());
    return new TableBlocks(properties, fences, filter);
  }

  private static void check(MappedFile file, int offset, TableFooter.Block block, String title) {
    CRC32C crc = new CRC32C();
    MappedChecksum.update(crc, file.memory(), offset, block.length());
    if ((int) crc.getValue() != block.checksum()) {
      throw new CorruptionException(
          file.name(), offset, "the checksum of the " + title + " is wrong");
    }
  }
}
