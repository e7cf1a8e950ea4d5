// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.StoreFileName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rules for the system calls of the {@link TracedChild}. Each check throws
 * {@link AssertionError} if a rule is broken.
 *
 * <p>Threads: one.
 */
final class TracedOrder {

  /** Length of the header of a log segment. */
  private static final int HEAD_BYTES = 64;

  private static final int BLOCK = 4096;

  private final List<SystemCall> calls;
  private final Path directory;
  private final Optional<Path> device;
  private final TracedManifest manifest;
  private final TracedForces forces;
  private final List<TracedWrite> writes;

  TracedOrder(
      List<SystemCall> calls, Path directory, Optional<Path> device, TracedManifest manifest) {
    this.calls = calls;
    this.directory = directory;
    this.device = device;
    this.manifest = manifest;
    forces = new TracedForces(calls, directory, device);
    writes = TracedWrite.parse(calls);
  }

  /** Tables and their names are durable before the manifest can name them. */
  void tablesAreForcedBeforeTheManifestIsWritten() {
    List<SystemCall> tables =
        creates("tab-").filter(table -> !isGivenUp(createdPath(table))).toList();
    assertThat(tables).hasSizeGreaterThan(TracedChild.FLUSHES);
    for (SystemCall table : tables) {
      String path = createdPath(table);
      SystemCall naming = manifest.naming(number(path)).orElseThrow().write();
      SystemCall last = last(writes(path));
      assertThat(between(last, naming)).as(path).anyMatch(call -> forces(call, path));
      assertThat(between(table, naming)).as(path).anyMatch(this::forcesDirectory);
    }
  }

  /** Values are durable in place before the table with their pointers is named. */
  void valuesAreForcedBeforeTheManifestIsWritten() {
    List<SystemCall> flushing = printed(TracedChild.FLUSHING);
    assertThat(flushing).hasSize(TracedChild.FLUSHES);
    for (SystemCall begin : flushing) {
      SystemCall naming = flushedTable(begin).write();
      assertThat(between(begin, naming)).anyMatch(call -> call.name().equals("msync"));
    }
    List<TracedWrite> values =
        writes.stream().filter(write -> write.segment().startsWith("val-")).toList();
    assertThat(values).isNotEmpty();
    for (TracedWrite write : values) {
      SystemCall naming = flushing(write).write();
      List<TracedForces.Force> inPlace =
          forces.between(write.begin(), naming, write.segment()).stream()
              .filter(TracedForces.Force::isInPlace)
              .toList();
      assertThat(TracedForces.cover(inPlace, write.from(), write.to()))
          .as("%s forced before %s", write, naming)
          .isTrue();
    }
  }

  /** The edit that puts a write into tables. */
  private TracedManifest.Edit flushing(TracedWrite write) {
    return manifest.edits().stream()
        .filter(edit -> edit.version().flushedSeqno() > write.seqno())
        .findFirst()
        .orElseThrow();
  }

  /** A flush has returned only when the edit with its table is durable. */
  void flushIsForcedBeforeItIsAcknowledged() {
    List<SystemCall> flushing = printed(TracedChild.FLUSHING);
    List<SystemCall> flushed = printed(TracedChild.FLUSHED);
    assertThat(flushed).hasSize(TracedChild.FLUSHES);
    for (int i = 0; i < flushed.size(); i++) {
      assertForced(flushedTable(flushing.get(i)), flushed.get(i));
    }
  }

  /** A table's file is removed only after the edit that drops it is durable. */
  void tablesAreRemovedAfterTheEditThatDropsThemIsForced() {
    List<SystemCall> removals = calls.stream()
        .filter(call -> isRemoval(call, "/tab-") && !isGivenUp(createdPath(call)))
        .toList();
    assertThat(removals).isNotEmpty();
    for (SystemCall removal : removals) {
      assertForced(manifest.dropping(removedTable(removal)).orElseThrow(), removal);
    }
  }

  /**
   * The marker's content and both names are durable before the rename, the rename before its use.
   */
  void markerIsSwitchedInOrder() {
    List<SystemCall> renames = calls.stream()
        .filter(call -> call.name().startsWith("rename") && call.text().contains("CURRENT.tmp"))
        .toList();
    assertThat(renames).hasSizeGreaterThanOrEqualTo(2);
    for (SystemCall rename : renames) {
      Predicate<SystemCall> earlier = call -> call.isBefore(rename);
      SystemCall created = last(creates("MANIFEST-").filter(earlier));
      SystemCall marker = last(writes("CURRENT.tmp").filter(earlier));
      SystemCall written = last(writes(createdPath(created)).filter(earlier));
      assertThat(between(marker, rename)).anyMatch(call -> forces(call, marker.file()));
      assertThat(between(written, rename)).anyMatch(call -> forces(call, createdPath(created)));
      assertThat(between(marker, rename)).anyMatch(this::forcesDirectory);
      SystemCall used = calls.stream()
          .filter(call -> rename.isBefore(call) && reliesOnMarker(call))
          .findFirst()
          .orElseThrow();
      assertThat(between(rename, used)).anyMatch(this::forcesDirectory);
    }
  }

  private boolean reliesOnMarker(SystemCall call) {
    return (call.name().startsWith("unlink") && call.text().contains(directory.toString()))
        || (call.name().equals("write") && call.file().contains("/MANIFEST-"))
        || call.printed().startsWith(TracedChild.BEGIN);
  }

  /**
   * A forced write is acknowledged after every byte of its record was made durable. So was every
   * byte of the writes that were acknowledged before the forced write began.
   */
  void everyByteIsDurableBeforeAForcedWriteIsAcknowledged() {
    assertThat(writes).hasSize(TracedChild.WRITES);
    assertThat(writes.stream().map(TracedWrite::segment).distinct()).hasSizeGreaterThan(2);
    for (TracedWrite write : writes) {
      if (write.isForced()) {
        assertDurable(write, write.acknowledged());
        for (TracedWrite earlier : writes) {
          if (earlier.acknowledged().isBefore(write.begin())) {
            assertDurable(earlier, write.acknowledged());
          }
        }
      }
    }
  }

  /** A record is durable in the log, or in a table that a durable edit names. */
  private void assertDurable(TracedWrite write, SystemCall relying) {
    boolean isDurable = forces.isDurable(write, write.begin(), relying)
        || manifest.edits().stream()
            .filter(edit -> edit.version().flushedSeqno() > write.seqno())
            .anyMatch(edit -> isForced(edit, relying));
    assertThat(isDurable).as("%s durable before %s", write, relying).isTrue();
  }

  /** A segment's header and its name are durable before a write in it is acknowledged. */
  void segmentsAreDurableBeforeAForcedWriteIsAcknowledged() {
    for (TracedWrite write : writes) {
      if (write.isForced()) {
        SystemCall create = creates(write.segment()).findFirst().orElseThrow();
        List<TracedForces.Force> since =
            forces.between(create, write.acknowledged(), write.segment());
        assertThat(TracedForces.cover(since, 0, HEAD_BYTES))
            .as("head, %s", write)
            .isTrue();
        assertThat(between(create, write.acknowledged()))
            .as("name, %s", write)
            .anyMatch(this::forcesDirectory);
      }
    }
  }

  /** Writes to a log device bypass the page cache, are durable, and have whole blocks. */
  void logDeviceIsWrittenDurably() {
    String path = device.orElseThrow().toString();
    List<SystemCall> opened = calls.stream()
        .filter(call -> call.name().equals("openat") && call.text().contains("\"" + path + "\""))
        .toList();
    assertThat(opened).isNotEmpty();
    for (SystemCall open : opened) {
      assertThat(open.text()).contains("O_DIRECT").containsPattern("O_D?SYNC");
    }
    List<SystemCall> written = calls.stream()
        .filter(call -> call.name().equals("pwrite64") && call.file().equals(path))
        .toList();
    assertThat(written).hasSizeGreaterThan(TracedChild.WRITES / 2);
    for (SystemCall write : written) {
      assertThat(write.writtenAt() % BLOCK).as("offset of %s", write.name()).isZero();
      assertThat(write.written().length % BLOCK)
          .as("length of %s", write.name())
          .isZero();
    }
  }

  static boolean isRemoval(SystemCall call, String path) {
    return call.name().startsWith("unlink") && call.text().contains(path);
  }

  /** The number of the table whose file a call removes. */
  static long removedTable(SystemCall removal) {
    return number(createdPath(removal));
  }

  /** Whether a table was removed before an edit named it: the close stopped its job. */
  private boolean isGivenUp(String table) {
    return manifest.naming(number(table)).isEmpty()
        && calls.stream().anyMatch(call -> isRemoval(call, table));
  }

  private void assertForced(TracedManifest.Edit edit, SystemCall relying) {
    assertThat(isForced(edit, relying))
        .as("%s forced before %s", edit.write(), relying)
        .isTrue();
  }

  private boolean isForced(TracedManifest.Edit edit, SystemCall relying) {
    return between(edit.write(), relying).stream()
        .anyMatch(call -> forces(call, edit.write().file()));
  }

  /** The edit that adds the first table after the start of a flush to level 0. */
  TracedManifest.Edit flushedTable(SystemCall flushing) {
    return creates("tab-")
        .filter(flushing::isBefore)
        .map(table -> number(createdPath(table)))
        .flatMap(table -> manifest.naming(table).filter(edit -> edit.isInLevel0(table)).stream())
        .findFirst()
        .orElseThrow();
  }

  private static long number(String table) {
    String name = table.substring(table.lastIndexOf('/') + 1);
    return StoreFileName.parse(name).orElseThrow().number();
  }

  /** Calls that begin after one call has ended and end before another begins. */
  private List<SystemCall> between(SystemCall from, SystemCall to) {
    return calls.stream()
        .filter(call -> from.isBefore(call) && call.isBefore(to))
        .toList();
  }

  private Stream<SystemCall> writes(String name) {
    return calls.stream()
        .filter(call -> call.name().equals("write") || call.name().equals("pwrite64"))
        .filter(call -> call.file().startsWith(directory + "/") && call.file().contains(name));
  }

  private Stream<SystemCall> creates(String name) {
    return calls.stream()
        .filter(call -> call.name().equals("openat") && call.text().contains("O_CREAT|O_EXCL"))
        .filter(call -> createdPath(call).startsWith(directory + "/"))
        .filter(call -> createdPath(call).contains(name));
  }

  private static String createdPath(SystemCall create) {
    return create.text().split("\"", 3)[1];
  }

  private List<SystemCall> printed(String line) {
    return calls.stream().filter(call -> call.printed().equals(line)).toList();
  }

  private static boolean forces(SystemCall call, String file) {
    return (call.name().equals("fsync") || call.name().equals("fdatasync"))
        && call.file().equals(file);
  }

  private boolean forcesDirectory(SystemCall call) {
    return call.name().equals("fsync") && call.file().equals(directory.toString());
  }

  private static SystemCall last(Stream<SystemCall> among) {
    List<SystemCall> matching = among.toList();
    assertThat(matching).isNotEmpty();
    return matching.get(matching.size() - 1);
  }
}
