// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns the JDK's I/O errors into the store's typed ones, in words a person understands. */
final class IoFailure {

  private static final int ENOSPC = 28;
  private static final int EDQUOT = 122;

  /** What the system says when there is no room: in English, and in the user's own language. */
  private static final Set<String> DISK_FULL_TEXTS = Stream.concat(
          Stream.of(
              "No space left on device",
              "Disk quota exceeded",
              "There is not enough space on the disk"),
          NativeCalls.get().stream()
              .flatMap(natives -> Stream.of(ENOSPC, EDQUOT).map(natives::errorText)))
      .collect(Collectors.toUnmodifiableSet());

  private IoFailure() {}

  /** The typed error of an operation that failed on a file. */
  static StoreIoException of(String operation, Path file, IOException cause) {
    IOException explained = explain(cause);
    return isDiskFull(cause)
        ? new DiskFullException(operation, file.toString(), explained)
        : new StoreIoException(operation, file.toString(), explained);
  }

  private static boolean isDiskFull(IOException cause) {
    String message = cause.getMessage();
    return message != null && DISK_FULL_TEXTS.stream().anyMatch(message::contains);
  }

  /**
   * The JDK's file-system exceptions repeat the path, and some say only in their type what
   * happened.
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
      return "the name is taken";
    } else if (failure instanceof AccessDeniedException) {
      return "permission denied";
    } else if (failure instanceof NotDirectoryException) {
      return "not a directory";
    }
    return failure.toString();
  }
}
