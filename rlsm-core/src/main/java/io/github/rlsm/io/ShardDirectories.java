// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

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
 * The directories of the shards, below that of the store they make up: {@code shard-2-0003} is the
 * fourth of the second set. The only place that makes and takes apart these names.
 *
 * <p>Threads: any; it has no state.
 */
public final class ShardDirectories {

  private static final Pattern NAME = Pattern.compile("shard-([1-9][0-9]{0,9})-[0-9]{4}");

  private ShardDirectories() {}

  /** The directory of one shard. */
  public static Path of(Path store, int set, int shard) {
    return store.resolve(String.format(Locale.ROOT, "shard-%d-%04d", set, shard));
  }

  /**
   * Deletes the shards of all sets but one, of all for 0, with everything in them. If that is cut
   * short, the rest is deleted the next time.
   *
   * @throws io.github.rlsm.kv.StoreIoException if the system refuses
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

  /** Whether there is a shard of any set. */
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
