// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The operating system's directory where there are no native calls. */
class OsDirectoryWithoutNativesTest extends StoreDirectoryContract {

  @TempDir
  Path temporary;

  @Override
  protected StoreDirectory newDirectory() {
    return new OsDirectory(temporary, null);
  }
}
