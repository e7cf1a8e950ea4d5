// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directories of the shards, inside the directory of their store. {@code shard-2-0003} is the
 * fourth shard of the second set. This is the only class that formats and parses these names.
 *
 * <p>Threads: any; it has no state.
 */
public final class ShardDirectories {

  private static final Pattern NAME = Pattern.compile("shard-([1-9][0-9]{0,9})-[0-9]{4}");

  private ShardDirectories() {}

  /** Returns the directory of one shard. */
  public static Path of(Path store, int set, int shard) {
    return store.resolve(String.format(Locale.ROOT, "shard-%d-%04d", set, shard));
  }

  /**
   * Deletes the shards of all sets except one, with all their files; of all sets if {@code set} is
   * 0. After an interrupted deletion, the next call deletes the rest.
   *
   * @throws io.github.rlsm.kv.StoreIoException if a directory or file cannot be listed or deleted
   */
  public static void keepOnly(Path store, int set) {
    String kept = Integer.toString(set);
    for (Path child : children(store)) {
      Matcher name = NAME.matcher(child.getFileName().toString());
      if (name.matches() && !name.group(1).equals(kept)) {
        deleteAll(child);
      }
    }
  }

  /** Whether a shard of any set exists. */
  public static boolean hasAny(Path store) {
    return children(store).stream()
        .anyMatch(child -> NAME.matcher(child.getFileName().toString()).matches());
  }

  private static void deleteAll(Path path) {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      children(path).forEach(ShardDirectories::deleteAll);
    }
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw IoFailure.of("delete", path, e);
    }
  }

  private static List<Path> children(Path directory) {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
      found.forEach(children::add);
    } catch (DirectoryIteratorException e) {
      throw IoFailure.of("list", directory, Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw IoFailure.of("list", directory, e);
    }
    return children;
  }
}
