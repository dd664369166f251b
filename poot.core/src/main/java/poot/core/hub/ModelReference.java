package poot.core.hub;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a person names a model by: a path, or a repository of the hub.
 *
 * <p>A repository is {@code hf.co/OWNER/REPO[@REVISION][:CHOICE]}; {@code huggingface.co} may stand for {@code hf.co},
 * {@code https://} before it, and pages of the hub's site are understood ({@code .../tree/REVISION},
 * {@code .../blob/REVISION/FILE}). {@code CHOICE} is a GGUF file of the repository or a quantization such as
 * {@code Q4_K_M}. Anything else is a path; a folder called {@code hf.co} is written {@code ./hf.co}.
 */
public sealed interface ModelReference {
    /** A path on this machine: a Hugging Face directory or a GGUF file. */
    record Local(Path path) implements ModelReference {
        public Local {
            Objects.requireNonNull(path);
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * A model in a repository of the hub.
     *
     * @param owner    user or organisation
     * @param name     name of the repository
     * @param revision branch, tag or commit; empty for {@code main}
     * @param choice   a file or a quantization; empty for the repository's only or usual one
     */
    record OnHub(String owner, String name, Optional<String> revision, Optional<String> choice) implements ModelReference {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?");
        private static final Pattern REVISION = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._/+-]{0,199}");
        private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");

        /** A reference whose parts are checked; {@link HubException} comes from {@link ModelReference#parse} alone. */
        public OnHub {
            for (String part : new String[] {owner, name}) {
                if (!NAME.matcher(part).matches() || part.contains("..") || part.contains("--")) {
                    throw new IllegalArgumentException("\"" + HubFault.printable(part, 100) + "\" is no owner or repository of the hub");
                }
            }
            revision.ifPresent(r -> {
                if (!REVISION.matcher(r).matches() || r.contains("..") || r.contains("//") || r.endsWith("/")) {
                    throw new IllegalArgumentException("\"" + HubFault.printable(r, 100) + "\" is no revision");
                }
            });
            choice.ifPresent(c -> {
                if (!SafeName.isSafe(c)) {
                    throw new IllegalArgumentException("\"" + HubFault.printable(c, 100) + "\" is no name of a file or a quantization");
                }
            });
        }

        /** {@code OWNER/REPO}. */
        public String repository() {
            return owner + "/" + name;
        }

        /** The revision, {@code main} if none is given. */
        public String revisionOrMain() {
            return revision.orElse("main");
        }

        /** True if the revision is a whole commit hash, which never comes to mean something else. */
        public boolean pinned() {
            return revision.isPresent() && isCommit(revision.get());
        }

        static boolean isCommit(String text) {
            return COMMIT.matcher(text).matches();
        }

        /** The form that {@link ModelReference#parse} reads. */
        @Override
        public String toString() {
            return "hf.co/" + repository() + revision.map(r -> "@" + r).orElse("") + choice.map(c -> ":" + c).orElse("");
        }
    }

    /** The hosts that stand for the hub. */
    Pattern HUB = Pattern.compile("(?:https?://)?(?:www\\.)?(?:hf\\.co|huggingface\\.co)(?:/(.*))?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** Reads what a person typed. */
    static ModelReference parse(String text) throws HubException {
        String shown = HubFault.printable(text, 200);
        if (text.length() > 2000) {
            throw bad(shown, text.length() + " characters are no reference");
        }
        var hub = HUB.matcher(text);
        boolean url = text.regionMatches(true, 0, "http://", 0, 7) || text.regionMatches(true, 0, "https://", 0, 8);
        if (!hub.matches()) {
            if (url) {
                throw bad(shown, "only addresses on huggingface.co are references");
            }
            return local(text, shown);
        }
        String rest = Objects.requireNonNullElse(hub.group(1), "");
        try {
            return onHub(url ? decoded(rest) : rest, shown);
        } catch (IllegalArgumentException | URISyntaxException e) {
            throw new HubException(new HubFault.BadReference(shown, String.valueOf(e.getMessage())), e);
        }
    }

    private static ModelReference local(String text, String shown) throws HubException {
        if (text.isBlank()) {
            throw bad("\"" + shown + "\"", "no model is named");
        }
        try {
            return new Local(Path.of(text));
        } catch (InvalidPathException e) {
            throw new HubException(new HubFault.BadReference(shown, "no path of this system: " + e.getReason()), e);
        }
    }

    /** An address without its query and with its escapes undone. */
    private static String decoded(String rest) throws URISyntaxException {
        String path = rest.replaceFirst("[?#].*", "");
        return new URI("http://h/" + path).getPath().substring(1);
    }

    private static OnHub onHub(String rest, String shown) throws HubException {
        String trimmed = rest.endsWith("/") && !rest.contains(":") ? rest.substring(0, rest.length() - 1) : rest;
        int slash = trimmed.indexOf('/');
        if (slash < 0) {
            throw bad(shown, "a repository has an owner and a name");
        }
        String owner = trimmed.substring(0, slash);
        String after = trimmed.substring(slash + 1);
        if (owner.equals("datasets") || owner.equals("spaces")) {
            throw bad(shown, owner + " hold no models");
        }
        int end = 0;
        while (end < after.length() && "@:/".indexOf(after.charAt(end)) < 0) {
            end++;
        }
        String name = after.substring(0, end);
        String tail = after.substring(end);
        if (tail.startsWith("/")) {
            return page(owner, name, tail.substring(1), shown);
        }
        Optional<String> revision = Optional.empty();
        if (tail.startsWith("@")) {
            int colon = tail.indexOf(':');
            revision = Optional.of(tail.substring(1, colon < 0 ? tail.length() : colon));
            tail = colon < 0 ? "" : tail.substring(colon);
        } else if (tail.lastIndexOf('@') > 0) {
            revision = Optional.of(tail.substring(tail.lastIndexOf('@') + 1));
            tail = tail.substring(0, tail.lastIndexOf('@'));
        }
        return new OnHub(owner, name, revision, tail.isEmpty() ? Optional.empty() : Optional.of(tail.substring(1)));
    }

    /** What stands behind the repository's name in the address of one of its pages. */
    private static OnHub page(String owner, String name, String tail, String shown) throws HubException {
        String[] parts = tail.split("/", 3);
        String kind = parts[0].toLowerCase(Locale.ROOT);
        boolean file = kind.equals("blob") || kind.equals("resolve");
        if (kind.equals("tree") && parts.length == 2 || file && parts.length == 3) {
            return new OnHub(owner, name, Optional.of(parts[1]), file ? Optional.of(parts[2]) : Optional.empty());
        }
        throw bad(shown, "\"" + HubFault.printable(tail, 100) + "\" after the repository is not understood; a file is named after a colon");
    }

    private static HubException bad(String shown, String reason) {
        return new HubException(new HubFault.BadReference(shown, reason));
    }
}
