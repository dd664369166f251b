package poot.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Guards that a backend is found by being on the module path: in a layer of the built modules every backend's provider
 * is loaded as a service, and says whether it can run here without throwing.
 */
class ModuleLayerTest {
    @Test
    void everyBackendIsFoundAndSaysWhetherItCanRun() throws Exception {
        Set<String> backends = Poot.modules().keySet().stream().filter(m -> m.startsWith("poot.backend."))
                .collect(Collectors.toCollection(TreeSet::new));
        ModuleFinder finder = ModuleFinder.of(locations().toArray(Path[]::new));
        Configuration configuration = ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), backends);
        ModuleLayer layer = ModuleLayer.boot().defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
        Class<?> service = layer.findLoader("poot.api").loadClass("poot.api.executor.ExecutorProvider");
        ModuleLayerTest.class.getModule().addUses(service);
        Set<String> found = new TreeSet<>();
        for (Object provider : ServiceLoader.load(layer, service)) {
            found.add(provider.getClass().getModule().getName());
            Object availability = service.getMethod("probe").invoke(provider);
            assertFalse(availability.toString().isBlank());
            assertFalse(service.getMethod("name").invoke(provider).toString().isBlank());
        }
        assertEquals(backends, found);
    }

    /** Where the modules on the class path lie. */
    private static List<Path> locations() throws Exception {
        List<Path> out = new ArrayList<>();
        for (URL url : Collections.list(ModuleLayerTest.class.getClassLoader().getResources("module-info.class"))) {
            switch (url.getProtocol()) {
                case "file" -> out.add(Path.of(url.toURI()).getParent());
                case "jar" -> {
                    URI jar = ((JarURLConnection) url.openConnection()).getJarFileURL().toURI();
                    out.add(Path.of(jar));
                }
                default -> { }
            }
        }
        return out;
    }
}
