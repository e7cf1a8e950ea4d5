// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.junit.jupiter.api.Test;

class ReadAheadTest {

  private static final int FILE_BYTES = 100_000;
  private static final int READ_MAX = 20_000;
  private static final int CELL = 100;

  private final byte[] bytes = new byte[FILE_BYTES];
  private final MemoryFile file = new MemoryFile(bytes);
  private final List<String> requests = file.requests;
  private final ReadAhead ahead = new ReadAhead(file, FILE_BYTES, 0, READ_MAX);

  ReadAheadTest() {
    new Random(1).nextBytes(bytes);
  }

  private void load(int position, int length) throws IOException {
    assertThat(ahead.load(position, length)).isTrue();
    int at = ahead.indexOf(position);
    assertThat(Arrays.copyOfRange(ahead.window(), at, at + length))
        .isEqualTo(Arrays.copyOfRange(bytes, position, position + length));
  }

  @Test
  void requestsGrowWhileAScanReadsOn() throws IOException {
    for (int i = 0; i < 400; i++) {
      load(i * CELL, CELL);
    }
    assertThat(requests).containsExactly("0+100", "100+1600", "1700+20000", "21700+20000");
  }

  @Test
  void aJumpReadsWhatIsWanted() throws IOException {
    load(50_000, CELL);
    load(10_000, CELL);
    load(90_000, CELL);
    load(90_000, 3 * CELL);
    assertThat(requests).containsExactly("50000+100", "10000+100", "90000+100", "90000+300");
  }

  @Test
  void aJumpReadsTheSmallestSize() throws IOException {
    ReadAhead large = new ReadAhead(file, FILE_BYTES, READ_MAX, READ_MAX);
    assertThat(large.load(50_000, CELL)).isTrue();
    assertThat(large.load(69_900, CELL)).isTrue();
    assertThat(large.load(10_000, CELL)).isTrue();
    assertThat(large.load(FILE_BYTES - CELL, CELL)).isTrue();
    assertThat(requests).containsExactly("50000+20000", "10000+20000", "99900+100");
  }

  @Test
  void aSmallGapIsNoJump() throws IOException {
    load(0, CELL);
    load(900, CELL);
    load(20_000, CELL);
    assertThat(requests).containsExactly("0+100", "900+1600", "20000+100");
  }

  @Test
  void aCellAcrossTheEndOfTheWindowIsReadAgain() throws IOException {
    load(0, CELL);
    load(100, CELL);
    load(1_650, CELL);
    assertThat(requests).containsExactly("0+100", "100+1600", "1650+20000");
  }

  @Test
  void noRequestPassesTheEndOfTheFile() throws IOException {
    load(FILE_BYTES - 2 * CELL, CELL);
    load(FILE_BYTES - CELL, CELL);
    assertThat(requests).containsExactly("99800+100", "99900+100");
    assertThat(ahead.load(FILE_BYTES - CELL + 1, CELL)).isFalse();
    assertThat(ahead.load(-1, CELL)).isFalse();
    assertThat(ahead.load(Long.MAX_VALUE, CELL)).isFalse();
    assertThat(ahead.load(0, -1)).isFalse();
    assertThat(requests).hasSize(2);
  }

  /** Cells of a result lie in the windows that they were read with. */
  @Test
  void aWindowKeepsItsBytes() throws IOException {
    load(0, CELL);
    byte[] first = ahead.window();
    load(50_000, CELL);
    assertThat(first).isEqualTo(Arrays.copyOf(bytes, CELL));
  }

  /** Values from the cache are not verified again, so no other bytes may count as cached. */
  @Test
  void bytesFromTheFileDoNotCountAsCached() throws IOException {
    load(0, CELL);
    assertThat(ahead.isFromCache()).isFalse();
    ahead.hold(50_000, Arrays.copyOfRange(bytes, 50_000, 51_000), 1_000);
    assertThat(ahead.isFromCache()).isTrue();
    load(50_900, CELL);
    assertThat(ahead.isFromCache()).isTrue();
    load(50_950, CELL);
    assertThat(ahead.isFromCache()).isFalse();
  }

  @Test
  void aStreamThatIsReplacedIsNotRead() throws IOException {
    file.isReplaced = true;
    assertThat(ahead.load(0, CELL)).isFalse();
    assertThatThrownBy(() -> ahead.asFile().getStream(true).read(0, new byte[CELL], 0, CELL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("replacing");
  }

  /** HBase reads a block and the header of the next one, and then the next one without it. */
  @Test
  void blocksAreReadInFewRequests() throws IOException {
    int block = 1_000;
    int header = 33;
    FSDataInputStream stream = ahead.asFile().getStream(true);
    byte[] read = new byte[20 * block + header];
    stream.readFully(0, read, 0, block + header);
    for (int at = block + header; at < read.length; at += block) {
      stream.readFully(at, read, at, block);
    }
    assertThat(read).isEqualTo(Arrays.copyOf(bytes, read.length));
    assertThat(requests).containsExactly("0+1033", "1033+16528", "17561+20000");
  }

  @Test
  void buffersAreFilledAsArraysAre() throws IOException {
    FSDataInputStream stream = ahead.asFile().getStream(true);
    assertThat(stream.hasCapability("in:preadbytebuffer")).isTrue();
    ByteBuffer buffer = ByteBuffer.allocateDirect(3 * CELL);
    buffer.position(CELL);
    stream.readFully(CELL, buffer);
    assertThat(buffer.hasRemaining()).isFalse();
    byte[] read = new byte[2 * CELL];
    buffer.get(CELL, read);
    assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, CELL, 3 * CELL));
    assertThat(stream.read(FILE_BYTES, ByteBuffer.allocate(1))).isEqualTo(-1);
    assertThat(stream.read(FILE_BYTES, read, 0, 1)).isEqualTo(-1);
    assertThatThrownBy(() -> stream.readFully(FILE_BYTES - 1, ByteBuffer.allocate(2)))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("ends at " + FILE_BYTES);
  }

  /** Another scan met a wrong checksum, so HBase no longer verifies the blocks of this scan. */
  @Test
  void bytesThatNothingVerifiedAreReadAgain() throws IOException {
    FSDataInputStreamWrapper asFile = ahead.asFile();
    byte[] read = new byte[CELL];
    asFile.getStream(true).readFully(0, read, 0, CELL);
    file.fallbackToFsChecksum(1);
    asFile.getStream(asFile.shouldUseHBaseChecksum()).readFully(0, read, 0, CELL);
    assertThat(requests).containsExactly("0+100", "fs 0+100");
    load(0, CELL);
    assertThat(requests).hasSize(2);
  }

  /** The bytes of the window may be those that are damaged. */
  @Test
  void afterAWrongChecksumBytesAreReadAgain() throws IOException {
    FSDataInputStreamWrapper asFile = ahead.asFile();
    byte[] read = new byte[CELL];
    asFile.getStream(true).readFully(0, read, 0, CELL);
    assertThat(asFile.shouldUseHBaseChecksum()).isTrue();
    asFile.fallbackToFsChecksum(1).readFully(0, read, 0, CELL);
    assertThat(asFile.shouldUseHBaseChecksum()).isFalse();
    assertThat(requests).containsExactly("0+100", "fs 0+100");
    asFile.unbuffer();
    asFile.getStream(false).readFully(0, read, 0, CELL);
    assertThat(requests).hasSize(3);
  }
}
