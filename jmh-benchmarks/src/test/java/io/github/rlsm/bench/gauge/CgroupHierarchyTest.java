// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CgroupHierarchyTest {

  private static final List<String> FIRST_VERSION = List.of(
      "30 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755",
      "34 30 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset",
      "35 30 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory",
      "41 30 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw");

  @Test
  void findsVersionOneHierarchy() {
    List<String> groups = List.of("4:memory:/user/me", "3:cpuset:/", "0::/");
    assertThat(CgroupHierarchy.find(groups, FIRST_VERSION))
        .contains(new CgroupHierarchy(Path.of("/sys/fs/cgroup/memory/user/me"), false));
  }

  @Test
  void findsVersionTwoHierarchy() {
    List<String> mounts =
        List.of("26 22 0:23 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate");
    assertThat(CgroupHierarchy.find(List.of("0::/user.slice/me.scope"), mounts))
        .contains(new CgroupHierarchy(Path.of("/sys/fs/cgroup/user.slice/me.scope"), true));
  }

  @Test
  void resolvesGroupRelativeToPartialMount() {
    List<String> mounts =
        List.of("35 30 0:32 /box/7 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory");
    assertThat(CgroupHierarchy.find(List.of("4:memory:/box/7/me"), mounts))
        .contains(new CgroupHierarchy(Path.of("/sys/fs/cgroup/memory/me"), false));
  }

  @Test
  void findsNoneWithoutMount() {
    assertThat(
            CgroupHierarchy.find(List.of("0::/"), List.of("23 27 0:22 / /sys rw - sysfs sysfs rw")))
        .isEmpty();
  }
}
