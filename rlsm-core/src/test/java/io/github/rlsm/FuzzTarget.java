// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.FileHeaderFuzz;
import io.github.rlsm.log.SegmentFuzz;
import io.github.rlsm.logdevice.DeviceFuzz;
import io.github.rlsm.shard.redo.ShardLogFuzz;
import io.github.rlsm.table.TableFuzz;
import io.github.rlsm.versionset.ManifestFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The decoders of bytes from disk, as the fuzzer calls them. */
@SuppressWarnings("ImmutableEnumChecker") // the functions are immutable, but not marked so
enum FuzzTarget {
  /** Headers of all files. */
  FILE_HEADER(FileHeaderFuzz.class, FileHeaderFuzz::fuzzerTestOneInput, FileHeaderFuzz::seeds),
  /** Tables. */
  TABLE(TableFuzz.class, TableFuzz::fuzzerTestOneInput, TableFuzz::seeds),
  /** Segments of the log. */
  SEGMENT(SegmentFuzz.class, SegmentFuzz::fuzzerTestOneInput, SegmentFuzz::seeds),
  /** Log devices, and the stores' notes about their devices. */
  DEVICE(DeviceFuzz.class, DeviceFuzz::fuzzerTestOneInput, DeviceFuzz::seeds),
  /** Manifests, their markers, and version edits. */
  MANIFEST(ManifestFuzz.class, ManifestFuzz::fuzzerTestOneInput, ManifestFuzz::seeds),
  /** The log of a sharded store, its batches, and the identities of shards. */
  SHARD_LOG(ShardLogFuzz.class, ShardLogFuzz::fuzzerTestOneInput, ShardLogFuzz::seeds),
  /** Whole stores with some bytes changed. */
  STORE(StoreFuzz.class, StoreFuzz::fuzzerTestOneInput, StoreFuzz::seeds);

  private final Class<?> type;
  private final Consumer<byte[]> decoder;
  private final Supplier<List<byte[]>> seeds;

  FuzzTarget(Class<?> type, Consumer<byte[]> decoder, Supplier<List<byte[]>> seeds) {
    this.type = type;
    this.decoder = decoder;
    this.seeds = seeds;
  }

  /** Decodes an input. Throws if the decoder breaks a rule for all decoders. */
  void run(byte[] input) {
    decoder.accept(input);
  }

  /** Returns valid inputs, written by this release. */
  List<byte[]> seeds() {
    return seeds.get();
  }

  /** The folder of the corpus below the resource {@code /fuzz}. */
  String folder() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Writes the seeds of all targets, or prints the name of a target's class.
   *
   * @param args the folder to write to, which gets a folder for each target; or {@code --class} and
   *     the folder of a target
   */
  public static void main(String[] args) throws IOException {
    for (FuzzTarget target : values()) {
      if (args[0].equals("--class")) {
        if (target.folder().equals(args[1])) {
          System.out.println(target.type.getName());
        }
        continue;
      }
      Path folder = Files.createDirectories(Path.of(args[0]).resolve(target.folder()));
      int number = 0;
      for (byte[] seed : target.seeds()) {
        Files.write(folder.resolve("seed-" + number++), seed);
      }
    }
  }
}
