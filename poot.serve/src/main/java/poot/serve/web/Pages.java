package poot.serve.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/** The pages a person opens in a browser, by the path they are at: plain HTML, style and script, read once. */
final class Pages {
    /** What a page may load: what the server itself sends, and the empty icon it names. */
    static final String POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

    private static final String FOLDER = "/poot/serve/page/";
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8", "js", "text/javascript; charset=utf-8", "css", "text/css; charset=utf-8");

    private Pages() {}

    /** One file of a page. */
    record File(String type, byte[] bytes) {}

    static SequencedMap<String, File> all() {
        SequencedMap<String, File> out = new LinkedHashMap<>();
        out.put("/", file("chat.html"));
        for (String name : new String[] {"chat.js", "page.css", "metrics.html", "metrics.js"}) {
            out.put("/" + name, file(name));
        }
        return out;
    }

    private static File file(String name) {
        try (InputStream in = Pages.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("the server's jar has no " + FOLDER + name);
            }
            return new File(TYPES.get(name.substring(name.indexOf('.') + 1)), in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
