package poot.serve.config;

import java.util.List;
import java.util.Locale;

/**
 * One setting of the server: the flag {@code --NAME}, the variable {@code POOT_SERVE_NAME}, the key {@code NAME} of the file.
 *
 * @param name    lower case, words joined by hyphens
 * @param param   what its value is called in the help
 * @param usual   its value where nobody gives one; empty for none
 * @param secret  whether its value is never shown
 * @param text    what it means
 */
public record Setting(String name, String param, String usual, boolean secret, String text) {
    /** Every setting, in the order of the help. */
    public static final List<Setting> ALL = List.of(
            plain("model", "MODEL", "", "a Hugging Face directory, a GGUF file, or hf.co/OWNER/REPO[@REVISION][:FILE or QUANT]; the small demo model where none is given"),
            plain("offline", "YES", "false", "use the cache alone for a model named by hf.co/..."),
            plain("name", "ID", "", "what clients call the model; its repository, or the last part of its path, where none is given"),
            plain("host", "HOST", "127.0.0.1", "the address to listen at; 0.0.0.0 for every one"),
            plain("port", "PORT", "8080", "the port; 0 takes a free one"),
            plain("backend", "NAME", "", "the backend to run on; the best available where none is given"),
            plain("threads", "N", "0", "worker threads of the CPU, 0 for one per core; a device has its own and refuses any number"),
            plain("weights", "WHERE", "auto", "where a CPU reads weights: mapped (the file itself), copied (in memory of its own, in the order they are read), or auto: copied where there is memory to spare; a device copies them always and refuses mapped"),
            plain("context", "N", "4096", "positions of a row, prompt and answer together; at most the model's context"),
            plain("kv", "TYPE", "f32", "how keys and values are cached: f32, f16, bf16 or q8_0"),
            plain("running", "N", "8", "requests running at once"),
            plain("waiting", "N", "256", "requests waiting at most; the next is answered 429"),
            plain("step-tokens", "N", "512", "tokens of a step at most"),
            plain("shared-tokens", "N", "128", "prompt tokens of a step beside running streams at most"),
            plain("kv-blocks", "N", "auto", "blocks of the cache's pool, 16 positions each; auto holds every row full, rows gives each row its own memory"),
            plain("prefix-cache", "YES", "true", "keep the blocks of prompts for requests that begin alike; not with kv-blocks = rows"),
            plain("max-output", "N", "0", "tokens of one answer at most; 0 for what a row holds"),
            plain("max-body", "BYTES", "8388608", "a request's body at most"),
            plain("max-headers", "BYTES", "16384", "a request's headers at most"),
            plain("max-connections", "N", "1024", "connections at once; more wait to be taken"),
            plain("rate", "N", "0", "requests a minute of one key, or of one address where there are no keys; 0 for any"),
            new Setting("api-key", "KEY", "", true, "a key clients have to send; several are separated by commas"),
            plain("api-key-file", "FILE", "", "a file of keys, one a line"),
            plain("tls-certificate", "FILE", "", "PEM file of the certificate chain; with tls-key"),
            plain("tls-key", "FILE", "", "PEM file of the private key (PKCS 8); with tls-certificate"),
            plain("tls-keystore", "FILE", "", "PKCS 12 file of key and certificates, in place of the two PEM files"),
            new Setting("tls-keystore-password", "TEXT", "", true, "of the PKCS 12 file"),
            plain("cors", "ORIGINS", "", "origins whose pages may call, separated by commas, or *; none where none is given"),
            plain("request-timeout", "SECONDS", "600", "for one request, the queue included; what is there by then is the answer; 0 for any"),
            plain("receive-timeout", "SECONDS", "30", "for a request's headers, and again for its body, to arrive"),
            plain("send-timeout", "SECONDS", "30", "for a client to take what is sent; then it is dropped"),
            plain("idle-timeout", "SECONDS", "120", "for a connection without a request"),
            plain("drain-timeout", "SECONDS", "30", "for running answers to end when the server is told to stop"));

    private static Setting plain(String name, String param, String usual, String text) {
        return new Setting(name, param, usual, false, text);
    }

    /** Whether its value is yes or no. */
    public boolean isSwitch() {
        return usual.equals("true") || usual.equals("false");
    }

    /** The environment variable. */
    public String variable() {
        return "POOT_SERVE_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
