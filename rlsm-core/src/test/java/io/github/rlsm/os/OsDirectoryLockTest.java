// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.rlsm.io.ChildJvm;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.StoreLockedException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the lock against other processes, and against other class loaders. */
class OsDirectoryLockTest {

  @TempDir
  Path temporary;

  private OsDirectory directory;

  @BeforeEach
  void open() {
    directory = OsDirectory.create(temporary.resolve("store"));
  }

  @Test
  void otherProcessesAreToldTheOwner() throws Exception {
    try (StoreDirectory.Lock lock = directory.lock()) {
      assertThat(lock).isNotNull();
      assertOtherProcessIsRefused();
    }
  }

  @Test
  void secondTryInTheOwnersProcessDoesNotLoseTheLock() throws Exception {
    try (StoreDirectory.Lock lock = directory.lock()) {
      assertThat(lock).isNotNull();
      assertThatExceptionOfType(StoreLockedException.class).isThrownBy(directory::lock);
      assertOtherProcessIsRefused();
    }
  }

  @Test
  void otherPathToTheSameDirectoryIsTheSameLock() throws Exception {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("store"));
    try (StoreDirectory.Lock lock = directory.lock()) {
      assertThat(lock).isNotNull();
      assertThatExceptionOfType(StoreLockedException.class)
          .isThrownBy(() -> OsDirectory.open(link).lock());
      assertOtherProcessIsRefused();
    }
  }

  @Test
  void copyOfTheEngineInAnotherClassLoaderIsRefused() throws Exception {
    try (StoreDirectory.Lock lock = directory.lock();
        URLClassLoader loader =
            new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      assertThat(lock).isNotNull();
      Class<?> copy = loader.loadClass(OsDirectory.class.getName());
      assertThat(copy).isNotEqualTo(OsDirectory.class);
      Object other = copy.getMethod("open", Path.class).invoke(null, temporary.resolve("store"));
      assertThatExceptionOfType(InvocationTargetException.class)
          .isThrownBy(() -> copy.getMethod("lock").invoke(other))
          .satisfies(e -> assertThat(e.getCause()).hasMessageContaining("is in use by"));
      assertOtherProcessIsRefused();
    }
  }

  @Test
  void lockDiesWithItsProcess() throws Exception {
    try (ChildJvm child = lockingChild()) {
      assertThat(child.line()).startsWith(LockingChild.LOCKED);
      assertThatExceptionOfType(StoreLockedException.class)
          .isThrownBy(directory::lock)
          .withMessageContaining(directory.path())
          .withMessageContaining("process " + child.pid() + ";");
    }
    directory.lock().close();
  }

  private void assertOtherProcessIsRefused() throws IOException {
    try (ChildJvm child = lockingChild()) {
      assertThat(child.line())
          .contains(directory.path())
          .contains("process " + ProcessHandle.current().pid() + ";");
    }
  }

  private ChildJvm lockingChild() {
    return ChildJvm.start(LockingChild.class, element -> true, List.of(directory.path()));
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(OsDirectoryLockTest::url)
        .toArray(URL[]::new);
  }

  private static URL url(String element) {
    try {
      URI uri = new File(element).toURI();
      return uri.toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }
}
