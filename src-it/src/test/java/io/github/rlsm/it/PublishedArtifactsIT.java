// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Poms and jars meet the requirements of Maven Central, and each jar has the licence. */
class PublishedArtifactsIT {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String VERSION = System.getProperty("rlsm.version", "");

  @Test
  void parentHasSharedMetadata() throws Exception {
    Element project = pom(ROOT);
    for (String name : List.of("name", "description", "url", "licenses", "developers", "scm")) {
      assertThat(child(project, name)).as(name).isNotBlank();
    }
    assertThat(child(project, "licenses")).contains("Apache-2.0", "https://");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kv-api", "rlsm-core", "rlsm-hbase", "rlsm-tools", "ycsb-binding"})
  void moduleIsComplete(String module) throws Exception {
    Path folder = ROOT.resolve(module);
    Element project = pom(folder);
    assertThat(child(project, "name")).isNotBlank();
    assertThat(child(project, "description")).isNotBlank();

    String name = module + "-" + VERSION;
    Path jar = folder.resolve("target").resolve(name + ".jar");
    assumeTrue(Files.exists(jar), () -> module + " was not packaged in this build");
    checkJar(jar, module);
    for (String classifier : List.of("dropin", "all")) {
      Path shaded = folder.resolve("target").resolve(name + "-" + classifier + ".jar");
      if (Files.exists(shaded)) {
        checkJar(shaded, module);
      }
    }
    // Only the profile "release" builds these jars; the gate enables it.
    if (Files.exists(ROOT.resolve("kv-api/target/kv-api-" + VERSION + "-sources.jar"))) {
      assertThat(folder.resolve("target").resolve(name + "-sources.jar")).isNotEmptyFile();
      assertThat(folder.resolve("target").resolve(name + "-javadoc.jar")).isNotEmptyFile();
    }
  }

  private static void checkJar(Path jar, String module) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      assertThat(file.getEntry("META-INF/LICENSE")).as("the licence in %s", jar).isNotNull();
      Attributes manifest = file.getManifest().getMainAttributes();
      assertThat(manifest.getValue("Implementation-Title")).as(module).isNotBlank();
      assertThat(manifest.getValue("Implementation-Version")).isEqualTo(VERSION);
      assertThat(manifest.getValue("Bundle-License")).isEqualTo("Apache-2.0");
    }
  }

  private static Element pom(Path folder) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(folder.resolve("pom.xml").toFile())
        .getDocumentElement();
  }

  /** Returns the text of a child element, or the empty string if the child does not exist. */
  private static String child(Element project, String name) {
    for (Node node = project.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node.getNodeName().equals(name)) {
        return node.getTextContent();
      }
    }
    return "";
  }
}
