// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;
import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Converts I/O errors of the JDK to the typed errors of the store, with readable messages. */
final class IoFailure {

  private static final int ENOMEM = 12;
  private static final int ENFILE = 23;
  private static final int EMFILE = 24;
  private static final int ENOSPC = 28;
  private static final int EDQUOT = 122;

  private static final Set<String> DISK_FULL_TEXTS = texts(
      List.of(
          "No space left on device",
          "Disk quota exceeded",
          "There is not enough space on the disk"),
      ENOSPC,
      EDQUOT);

  private static final Set<String> DESCRIPTORS_TEXTS =
      texts(List.of("Too many open files", "Too many open files in system"), EMFILE, ENFILE);

  /**
   * "Map failed" is the JDK's message for a lack of mappings and for a lack of memory. The
   * operating system reports the same error for both.
   */
  private static final Set<String> MAPPINGS_TEXTS = texts(List.of("Map failed"));

  private static final Set<String> MEMORY_TEXTS = texts(List.of("Cannot allocate memory"), ENOMEM);

  private IoFailure() {}

  /** The system's messages for some errors, in English and in the user's language. */
  private static Set<String> texts(List<String> english, int... errors) {
    Stream<String> own = NativeCalls.get().stream()
        .flatMap(natives -> Arrays.stream(errors).mapToObj(natives::errorText));
    return Stream.concat(english.stream(), own).collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the typed error of a failed operation on a file. */
  static StoreIoException of(String operation, Path file, IOException cause) {
    IOException explained = explain(cause);
    String name = file.toString();
    if (says(DISK_FULL_TEXTS, cause)) {
      return new DiskFullException(operation, name, explained);
    }
    Resource missing = missing(cause);
    return missing == null
        ? new StoreIoException(operation, name, explained)
        : new ResourceExhaustedException(operation, name, missing, explained);
  }

  /**
   * Returns the typed error of a failed force, or of a failed write to reserved space. Neither
   * counts as a shortage that can pass, even if the system reports one. The data did not reach the
   * device, and a second force would not write it.
   */
  static StoreIoException ofWrite(String operation, Path file, IOException cause) {
    return new StoreIoException(operation, file.toString(), explain(cause));
  }

  private static @Nullable Resource missing(IOException cause) {
    if (says(DESCRIPTORS_TEXTS, cause)) {
      return Resource.FILE_DESCRIPTORS;
    } else if (says(MAPPINGS_TEXTS, cause)) {
      return Resource.MAPPINGS;
    }
    return says(MEMORY_TEXTS, cause) ? Resource.MEMORY : null;
  }

  private static boolean says(Set<String> texts, IOException cause) {
    String message = cause.getMessage();
    return message != null && texts.stream().anyMatch(message::contains);
  }

  /**
   * Replaces a file-system exception of the JDK by one with a reason. The JDK's messages repeat the
   * path, and some exceptions express the reason only by their class.
   */
  private static IOException explain(IOException cause) {
    if (!(cause instanceof FileSystemException failure)) {
      return cause;
    }
    FileSystemException explained = new FileSystemException(null, null, reason(failure));
    explained.initCause(cause);
    return explained;
  }

  private static String reason(FileSystemException failure) {
    String reason = failure.getReason();
    if (reason != null) {
      return reason;
    } else if (failure instanceof NoSuchFileException) {
      return "no such file or directory";
    } else if (failure instanceof FileAlreadyExistsException) {
      return "the file already exists";
    } else if (failure instanceof AccessDeniedException) {
      return "permission denied";
    } else if (failure instanceof NotDirectoryException) {
      return "not a directory";
    }
    return failure.toString();
  }
}
