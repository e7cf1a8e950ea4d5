// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.rlsm.base.EntryKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Collects the recovered entries as text: {@code 17 put key=value}, {@code 21 delete key}. */
public final class Replay implements RecoveredLog.Visitor {

  public final List<String> entries = new ArrayList<>();
  public long endSeqno;
  public long droppedBytes;
  public int generations;
  private LogGeneration current;

  @Override
  public void generation(LogGeneration generation) {
    current = generation;
  }

  @Override
  public void entry(int location, long seqno) {
    ByteBuffer segment = current.segmentOf(location);
    int keyOffset = RecordLayout.keyOffset(segment, location);
    int keyLength = RecordLayout.keyLength(segment, location, keyOffset);
    int valueLength = RecordLayout.valueLength(segment, location, keyOffset, keyLength);
    String key = text(segment, keyOffset, keyLength);
    entries.add(
        RecordLayout.entryKind(segment, location) == EntryKind.DELETE
            ? seqno + " delete " + key
            : seqno + " put " + key + "=" + text(segment, keyOffset + keyLength, valueLength));
  }

  private static String text(ByteBuffer segment, int offset, int length) {
    byte[] bytes = new byte[length];
    segment.get(offset, bytes);
    return new String(bytes, ISO_8859_1);
  }
}
