// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.log.ManifestPosition;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Determines the content of a directory: a new store, or a store and its version. Refuses any other
 * content. Also finds the files that a crash has left behind. Changes nothing on disk.
 */
public final class ManifestRecovery {

  private static final int NAMES_SHOWN = 3;

  private ManifestRecovery() {}

  /**
   * Reads the manifest that is in force.
   *
   * @throws FormatVersionException if the directory does not hold a store, or a newer release wrote
   *     it
   * @throws CorruptionException if the manifest or its marker is missing or damaged, or a file that
   *     the manifest names is missing
   */
  public static Recovered recover(StoreDirectory directory) {
    Set<String> names = Set.copyOf(directory.list());
    if (names.contains(StoreFileName.SHARDS)) {
      // Other files of an unsharded store in this directory are left over from a resharding.
      throw new FormatVersionException(
          directory.path(),
          "the directory holds a store of several shards; set the option shards to open it");
    }
    if (!names.contains(StoreFileName.CURRENT)) {
      checkNoStore(directory.path(), names);
      return new Recovered(true, 0, Version.EMPTY, nextFileNumber(names), 0, ManifestPosition.NONE);
    }
    FileHeader current = CurrentMarker.read(directory);
    String manifest = manifestName(current);
    checkThere(manifest, StoreFileName.CURRENT, names);
    if (directory.size(manifest) < FileHeader.BYTES) {
      throw new CorruptionException(manifest, 0, "the file ends inside its header");
    }
    try (MappedFile file = directory.openReadOnly(manifest)) {
      ManifestReader reader = new ManifestReader(file.memory(), manifest);
      Version version = MappedFaults.using(manifest, () -> {
        FileHeader.decode(file.memory(), manifest)
            .expect(manifest, FileHeader.Kind.MANIFEST, current.storeId(), current.fileNumber());
        return reader.read();
      });
      checkFiles(version, manifest, names);
      return new Recovered(
          false,
          current.storeId(),
          version,
          Math.max(version.nextFileNumber(), nextFileNumber(names)),
          reader.droppedBytes(),
          new ManifestPosition(current.fileNumber(), reader.records()));
    }
  }

  private static String manifestName(FileHeader current) {
    if (current.fileNumber() <= 0 || current.fileNumber() > StoreFileName.NUMBER_MAX) {
      throw new CorruptionException(
          StoreFileName.CURRENT, 0, "the file names manifest number " + current.fileNumber());
    }
    return StoreFileName.manifest(current.fileNumber());
  }

  /**
   * Checks that a directory without the marker can become a new store without any loss. Such a
   * directory is empty, or it holds only the manifest of a store whose creation was interrupted.
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
          "not a store: the directory has no file CURRENT, but holds "
              + shown
              + (foreign.size() > NAMES_SHOWN ? " and more" : "")
              + "; choose an empty directory");
    }
    names.stream().filter(ManifestRecovery::holdsData).sorted().findFirst().ifPresent(name -> {
      throw new CorruptionException(
          StoreFileName.CURRENT, 0, "the file is missing, but the directory holds " + name);
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

  /**
   * Whether {@link VersionSet#newFileNumber} numbers such files. Log segments have separate
   * numbers.
   */
  private static boolean isNumberedHere(StoreFileName.Type type) {
    return type == StoreFileName.Type.TABLE || type == StoreFileName.Type.MANIFEST;
  }

  /**
   * Returns the names of tables, manifests and temporary files that a crash has left behind. Called
   * after the store is open. A pure function.
   *
   * <p>Ignores log segments: {@code SegmentFiles} deletes the unused ones. Also ignores files whose
   * names are not names of store files.
   *
   * @param version the recovered version, before any edit
   * @param manifest number of the manifest in force, {@link VersionSet#manifestNumber}
   * @param names all files of the directory
   */
  public static List<String> orphans(Version version, long manifest, Collection<String> names) {
    return names.stream()
        .map(StoreFileName::parse)
        .flatMap(Optional::stream)
        .filter(file -> isOrphan(file, version, manifest))
        .map(StoreFileName::format)
        .toList();
  }

  private static boolean isOrphan(StoreFileName file, Version version, long manifest) {
    return switch (file.type()) {
      case TABLE -> version.table(file.number()) == null;
      case MANIFEST -> file.number() != manifest;
      case CURRENT_TEMPORARY, LOG_DEVICE_TEMPORARY, SEGMENT_TEMPORARY -> true;
      case CURRENT, LOCK, WRITE_AHEAD_LOG, VALUE_LOG, SHARDS, SHARDS_TEMPORARY, LOG_DEVICE -> false;
    };
  }

  /**
   * The content of a directory's manifest. {@link VersionSet#open} continues from it.
   *
   * @param newStore whether the directory holds no store yet; then the version is empty
   * @param storeId the store's id; of a new store, 0 until {@link #withStoreId(long, Map)}
   * @param version the version that was current
   * @param nextFileNumber the lowest number for a new file: above every number in the directory,
   *     and not assigned by the version
   * @param droppedBytes ignored bytes at the manifest's end, which are not a complete record: an
   *     unacknowledged edit that a crash interrupted, or the end record after an edit
   * @param position number of the manifest, and how many records it has
   */
  public record Recovered(
      boolean newStore,
      long storeId,
      Version version,
      long nextFileNumber,
      long droppedBytes,
      ManifestPosition position) {

    /**
     * Returns this state for a new store with an id and options. The store's first manifest
     * contains the options, so no crash leaves a store without them.
     *
     * @param id not 0
     * @param options the future {@link Version#options}
     * @throws IllegalStateException if the store is not new: its id and options are fixed
     */
    public Recovered withStoreId(long id, Map<String, String> options) {
      if (!newStore) {
        throw new IllegalStateException(
            "the store already has the id " + Long.toHexString(storeId));
      }
      VersionEdit.Builder edit = VersionEdit.builder();
      options.forEach(edit::setOption);
      Version first = version.apply(edit.build());
      return new Recovered(true, id, first, nextFileNumber, droppedBytes, position);
    }
  }
}
