package poot.serve.load;

import java.net.URI;

/**
 * A server under load.
 *
 * @param name what the figures call it
 * @param base where it answers, without {@code /v1}
 */
public record LoadTarget(String name, URI base) {
    /**
     * Reads {@code NAME=URL}.
     *
     * @throws LoadException if it is not of that form, or the address is not http or https
     */
    public static LoadTarget parse(String text) throws LoadException {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new LoadException("a target is NAME=URL, for example poot=http://127.0.0.1:8080; given: " + text);
        }
        String address = text.substring(equals + 1).replaceAll("/+$", "");
        try {
            URI base = new URI(address);
            if (base.getHost() == null || !("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
                throw new LoadException("the address of " + text.substring(0, equals) + " must be http:// or https://; given: " + address);
            }
            return new LoadTarget(text.substring(0, equals), base);
        } catch (java.net.URISyntaxException e) {
            throw new LoadException("the address of " + text.substring(0, equals) + " cannot be read: " + e.getMessage());
        }
    }

    /** The address of a path. */
    URI at(String path) {
        return URI.create(base + path);
    }
}
