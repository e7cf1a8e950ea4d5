// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.log.ManifestMark;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out what a directory holds: no store yet, a store and its version, or something that is
 * refused. Changes nothing on disk.
 */
public final class ManifestRecovery {

  private static final int NAMES_SHOWN = 3;

  private ManifestRecovery() {}

  /**
   * Reads the manifest that is in force.
   *
   * @throws FormatVersionException if the directory is not a store's, or a newer release's
   * @throws CorruptionException if the manifest or its marker is missing or damaged, or a table
   *     that the manifest names is missing
   */
  public static RecoveredManifest recover(StoreDirectory directory) {
    Set<String> names = Set.copyOf(directory.list());
    if (names.contains(StoreFileName.SHARDS)) {
      // Files of a store without are then what a resharding has left.
      throw new FormatVersionException(
          directory.path(), "it holds a store of several shards; open it as one");
    }
    if (!names.contains(StoreFileName.CURRENT)) {
      checkNoStore(directory.path(), names);
      return new RecoveredManifest(
          true, 0, Version.EMPTY, nextFileNumber(names), 0, ManifestMark.NONE);
    }
    FileHeader current = CurrentMarker.read(directory);
    String manifest = manifestName(current);
    checkThere(manifest, StoreFileName.CURRENT, names);
    if (directory.size(manifest) < FileHeader.BYTES) {
      throw new CorruptionException(manifest, 0, "the file ends before its header does");
    }
    try (MappedFile file = directory.openReadOnly(manifest)) {
      ManifestReader reader = new ManifestReader(file.memory(), manifest);
      Version version = MappedFaults.using(manifest, () -> {
        FileHeader.decode(file.memory(), manifest)
            .expect(manifest, FileKind.MANIFEST, current.storeId(), current.fileNumber());
        return reader.read();
      });
      checkFiles(version, manifest, names);
      return new RecoveredManifest(
          false,
          current.storeId(),
          version,
          Math.max(version.nextFileNumber(), nextFileNumber(names)),
          reader.droppedBytes(),
          new ManifestMark(current.fileNumber(), reader.records()));
    }
  }

  private static String manifestName(FileHeader current) {
    if (current.fileNumber() <= 0 || current.fileNumber() > StoreFileName.NUMBER_MAX) {
      throw new CorruptionException(
          StoreFileName.CURRENT, 0, "it names manifest number " + current.fileNumber());
    }
    return StoreFileName.manifest(current.fileNumber());
  }

  /**
   * A directory without the marker may be taken for a new store only if nothing can be lost by it:
   * it is empty, or a store began to be made there and got no further than its manifest.
   */
  private static void checkNoStore(String directory, Set<String> names) {
    List<String> foreign = names.stream()
        .filter(name -> StoreFileName.parse(name).isEmpty())
        .sorted()
        .toList();
    if (!foreign.isEmpty()) {
      String shown = String.join(", ", foreign.subList(0, Math.min(NAMES_SHOWN, foreign.size())));
      throw new FormatVersionException(
          directory,
          "not a store, for it has no CURRENT, and not empty: it holds "
              + shown
              + (foreign.size() > NAMES_SHOWN ? " and more" : "")
              + "; name an empty directory");
    }
    names.stream().filter(ManifestRecovery::holdsData).sorted().findFirst().ifPresent(name -> {
      throw new CorruptionException(
          StoreFileName.CURRENT, 0, "the file is missing, though there is " + name);
    });
  }

  private static boolean holdsData(String name) {
    return StoreFileName.parse(name)
        .map(StoreFileName::type)
        .filter(type -> switch (type) {
          case WRITE_AHEAD_LOG, VALUE_LOG, TABLE -> true;
          case MANIFEST, CURRENT, CURRENT_TEMPORARY, SHARDS, SHARDS_TEMPORARY -> false;
          case LOG_DEVICE, LOG_DEVICE_TEMPORARY, SEGMENT_TEMPORARY, LOCK -> false;
        })
        .isPresent();
  }

  private static void checkFiles(Version version, String manifest, Set<String> names) {
    for (TableMeta table : version.tables()) {
      checkThere(table.fileName(), manifest, names);
    }
    for (SegmentAccount segment : version.segments()) {
      checkThere(StoreFileName.valueLog(segment.number()), manifest, names);
    }
  }

  private static void checkThere(String name, String namedBy, Set<String> names) {
    if (!names.contains(name)) {
      throw new CorruptionException(name, 0, "the file is missing; " + namedBy + " names it");
    }
  }

  private static long nextFileNumber(Set<String> names) {
    return names.stream()
        .map(StoreFileName::parse)
        .flatMap(Optional::stream)
        .filter(name -> isNumberedHere(name.type()))
        .mapToLong(name -> name.number() + 1)
        .max()
        .orElse(1);
  }

  /** Whether {@link VersionSet#newFileNumber} numbers such files; log segments have their own. */
  private static boolean isNumberedHere(StoreFileName.Type type) {
    return type == StoreFileName.Type.TABLE || type == StoreFileName.Type.MANIFEST;
  }
}
