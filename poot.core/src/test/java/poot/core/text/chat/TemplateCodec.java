package poot.core.text.chat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import poot.api.model.ChatException;
import poot.api.model.TextCodec;
import poot.core.text.template.ChatTemplate;
import poot.core.text.template.TemplateException;

/** A codec that has a chat template and no tokens; without a template where that is null. */
public record TemplateCodec(ChatTemplate template) implements TextCodec {
    /** The codec of a template's source. */
    public static TemplateCodec of(String source) {
        try {
            return new TemplateCodec(ChatTemplate.compile(source, "template"));
        } catch (TemplateException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** The public templates by name; the test is skipped where they are not. */
    public static SortedMap<String, TemplateCodec> shared() throws IOException {
        Path folder = Path.of(System.getProperty("poot.shared", "../shared")).resolve("templates");
        Assumptions.assumeTrue(Files.exists(folder), "the shared data " + folder + " is not there");
        SortedMap<String, TemplateCodec> out = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jinja")) {
            for (Path file : files) {
                out.put(file.getFileName().toString().replace(".jinja", ""), of(Files.readString(file)));
            }
        }
        return out;
    }

    @Override
    public boolean hasChatTemplate() {
        return template != null;
    }

    @Override
    public String render(Map<String, Object> context) throws ChatException {
        Map<String, Object> all = new HashMap<>(Map.of("bos_token", "<s>", "eos_token", "</s>"));
        all.putAll(context);
        try {
            return template.render(all);
        } catch (TemplateException e) {
            throw new ChatException(new ChatException.Refused(e.fault().message()), e);
        }
    }

    @Override
    public int vocabularySize() {
        return 0;
    }

    @Override
    public int[] encode(String text, boolean special) {
        return new int[0];
    }

    @Override
    public int[] encodeRendered(String text) {
        return new int[0];
    }

    @Override
    public Pair encodePair(String first, String second) {
        return new Pair(new int[0], new int[0]);
    }

    @Override
    public String decode(int[] ids, boolean skipSpecial) {
        return "";
    }

    @Override
    public byte[] bytes(int id) {
        return new byte[0];
    }

    @Override
    public Stream stream(boolean skipSpecial) {
        throw new IllegalStateException("this codec has no tokens");
    }

    @Override
    public OptionalInt id(String token) {
        return OptionalInt.empty();
    }
}
