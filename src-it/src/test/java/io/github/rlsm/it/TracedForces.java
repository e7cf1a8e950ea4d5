// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.io.StoreFileName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of files that a trace made durable: by msync, by fsync and fdatasync, or by a copy on
 * a log device.
 *
 * <p>Threads: one.
 */
final class TracedForces {

  /**
   * A range of a file that is durable once a call has returned.
   *
   * @param file its name without the directory
   * @param bytes copied to a log device, or null for a force in place
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Force(String file, long from, long to, SystemCall call, byte @Nullable [] bytes) {

    boolean isInPlace() {
      return bytes == null;
    }
  }

  private static final Pattern MAPPED =
      Pattern.compile("MAP_SHARED, \\d+<([^>]*)>, 0(?:x0)?\\) += (0x[0-9a-f]+)");
  private static final Pattern MAPPED_LENGTH = Pattern.compile("^[^,]*, (\\d+), ");
  private static final Pattern FORCED = Pattern.compile("^(0x[0-9a-f]+), (\\d+), MS_SYNC");

  private static final int BLOCK = 4096;
  private static final int SUPERBLOCKS = 2;
  private static final int BLOCK_HEAD = 40;
  private static final int PIECE_HEAD = 16;
  private static final int VALUE_BIT = 1 << 31;

  private final List<SystemCall> calls;
  private final Path directory;
  private final List<Force> forces = new ArrayList<>();

  /** @param device the log device, if the store had one */
  TracedForces(List<SystemCall> calls, Path directory, Optional<Path> device) {
    this.calls = calls;
    this.directory = directory;
    for (SystemCall call : calls) {
      switch (call.name()) {
        case "msync" -> addMapped(call);
        case "fsync", "fdatasync" -> add(call.file(), 0, Long.MAX_VALUE, call);
        case "pwrite64" -> {
          if (device.isPresent() && call.file().equals(device.get().toString())) {
            addCopies(call);
          }
        }
        default -> {}
      }
    }
  }

  private void add(String path, long from, long to, SystemCall call) {
    if (path.startsWith(directory + "/")) {
      forces.add(new Force(path.substring((directory + "/").length()), from, to, call, null));
    }
  }

  /** Finds the file of an msync. Its address lies in the latest mapping before it. */
  private void addMapped(SystemCall msync) {
    Matcher forced = FORCED.matcher(msync.text());
    if (!forced.find()) {
      return;
    }
    long address = Long.decode(forced.group(1));
    long length = Long.parseLong(forced.group(2));
    String file = "";
    long offset = 0;
    for (SystemCall call : calls) {
      Matcher mapped = MAPPED.matcher(call.text());
      if (call.name().equals("mmap") && call.isBefore(msync) && mapped.find()) {
        Matcher mappedLength = MAPPED_LENGTH.matcher(call.text());
        long begin = Long.decode(mapped.group(2));
        if (mappedLength.find()
            && address >= begin
            && address < begin + Long.parseLong(mappedLength.group(1))) {
          file = mapped.group(1);
          offset = address - begin;
        }
      }
    }
    add(file, offset, offset + length, msync);
  }

  /** FORMAT.md, "Block of the ring". */
  private void addCopies(SystemCall write) {
    ByteBuffer bytes = ByteBuffer.wrap(write.written()).order(ByteOrder.LITTLE_ENDIAN);
    long first = write.writtenAt() / BLOCK;
    for (int block = 0; block * BLOCK < bytes.capacity(); block++) {
      if (first + block >= SUPERBLOCKS) {
        int at = block * BLOCK + BLOCK_HEAD;
        int end = at + bytes.getInt(block * BLOCK + 4);
        while (at < end) {
          int segment = bytes.getInt(at + 4);
          int offset = bytes.getInt(at + 8);
          int length = bytes.getInt(at + 12);
          String name = (segment & VALUE_BIT) != 0
              ? StoreFileName.valueLog(segment & ~VALUE_BIT)
              : StoreFileName.writeAheadLog(segment);
          at += PIECE_HEAD;
          forces.add(new Force(
              name,
              offset,
              offset + (long) length,
              write,
              Arrays.copyOfRange(bytes.array(), at, at + length)));
          at += length;
        }
      }
    }
  }

  /** The forces of a file that begin after one call and end before another. */
  List<Force> between(SystemCall from, SystemCall to, String file) {
    return forces.stream()
        .filter(force -> force.file.equals(file))
        .filter(force -> from.isBefore(force.call) && force.call.isBefore(to))
        .toList();
  }

  /** Whether forces together cover a range. */
  static boolean cover(List<Force> forces, long from, long to) {
    long covered = from;
    List<Force> ordered = new ArrayList<>(forces);
    ordered.sort(Comparator.comparingLong(Force::from));
    for (Force force : ordered) {
      if (force.from <= covered) {
        covered = Math.max(covered, force.to);
      }
    }
    return covered >= to;
  }

  /** Whether a record was made durable between two calls: forced in place, or copied unchanged. */
  boolean isDurable(TracedWrite write, SystemCall from, SystemCall to) {
    List<Force> candidates = between(from, to, write.segment());
    return cover(only(candidates, Force::isInPlace), write.from(), write.to())
        || (cover(only(candidates, force -> !force.isInPlace()), write.from(), write.to())
            && checksum(candidates, write) == write.checksum());
  }

  private static List<Force> only(List<Force> forces, Predicate<Force> which) {
    return forces.stream().filter(which).toList();
  }

  /** The checksum of a record's bytes in its copies. */
  private static long checksum(List<Force> copies, TracedWrite write) {
    byte[] bytes = new byte[write.to() - write.from()];
    for (Force copy : copies) {
      for (long at = Math.max(copy.from, write.from());
          copy.bytes != null && at < Math.min(copy.to, write.to());
          at++) {
        bytes[(int) (at - write.from())] = copy.bytes[(int) (at - copy.from)];
      }
    }
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return checksum.getValue();
  }
}
