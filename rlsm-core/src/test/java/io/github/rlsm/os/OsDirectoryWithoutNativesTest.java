// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreDirectoryContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Tests the operating system's directory without native calls. */
class OsDirectoryWithoutNativesTest extends StoreDirectoryContract {

  @TempDir
  Path temporary;

  @Override
  protected StoreDirectory newDirectory() {
    return new OsDirectory(temporary, null);
  }
}
