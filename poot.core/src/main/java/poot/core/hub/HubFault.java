package poot.core.hub;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import poot.api.graph.Fault;

/** Why a model cannot be had by its name. Sizes are bytes. */
public sealed interface HubFault extends Fault {
    /** A text that is no reference. */
    record BadReference(String text, String reason) implements HubFault {
        @Override
        public String message() {
            return text + ": " + reason + "; write hf.co/OWNER/REPO[@REVISION][:FILE or QUANT], or a path";
        }
    }

    /** An environment variable, or a file it names, that cannot be used. */
    record BadSetting(String name, String reason) implements HubFault {
        @Override
        public String message() {
            return name + ": " + reason;
        }
    }

    /** The hub wants to know who asks; without a token, it answers so for a repository that does not exist as well. */
    record NotAllowed(String repository, boolean tokenSent, String said) implements HubFault {
        @Override
        public String message() {
            return repository + ": the hub refuses access" + quoted(said) + "; " + (tokenSent
                    ? "the token that HF_TOKEN or the token file gives is not valid for it, or there is no such repository"
                    : "it is private, gated, or does not exist: check the name, or set HF_TOKEN to a token that may read it");
        }
    }

    /** A repository whose licence must be accepted, or that the token may not read. */
    record Gated(String repository, URI page, boolean tokenSent, String said) implements HubFault {
        @Override
        public String message() {
            return repository + ": access is restricted" + quoted(said) + "; accept its licence at " + page + ", "
                    + (tokenSent ? "with the account whose token HF_TOKEN holds" : "then set HF_TOKEN to a token of that account");
        }
    }

    /** There is no such repository. */
    record NoRepository(String repository, URI endpoint, String revision) implements HubFault {
        @Override
        public String message() {
            return repository + ": not found at " + endpoint + " (revision " + revision + "); check owner, name and revision";
        }
    }

    /** The repository has no such branch, tag or commit. */
    record NoRevision(String repository, String revision) implements HubFault {
        @Override
        public String message() {
            return repository + ": has no revision " + revision + "; name a branch, a tag or a whole commit hash";
        }
    }

    /** A file that is listed, named, or indexed is not there. */
    record NoFile(String repository, String commit, String path, String needed) implements HubFault {
        @Override
        public String message() {
            return repository + "@" + brief(commit) + ": has no file " + path + "; " + needed;
        }
    }

    /** One of the models in a repository: the name that chooses it, and its size. */
    record Offer(String choice, long bytes) {}

    /** The repository holds several models, and none is chosen, or none or several by that choice. */
    record NoChoice(String repository, Optional<String> choice, String reason, List<Offer> offers) implements HubFault {
        private static final int LISTED = 60;

        public NoChoice {
            offers = List.copyOf(offers);
        }

        @Override
        public String message() {
            String list = offers.stream().limit(LISTED).map(o -> o.choice() + " (" + ByteCount.text(o.bytes()) + ")")
                    .collect(Collectors.joining(", "));
            return "hf.co/" + repository + choice.map(c -> ":" + c).orElse("") + ": " + reason + "; name one, as in hf.co/" + repository
                    + ":" + (offers.isEmpty() ? "FILE" : offers.getFirst().choice()) + "; there is: " + list
                    + (offers.size() > LISTED ? " and " + (offers.size() - LISTED) + " more" : "");
        }
    }

    /** The repository holds nothing that can be read as a model. */
    record NoWeights(String repository, String commit, String reason) implements HubFault {
        @Override
        public String message() {
            return repository + "@" + brief(commit) + ": " + reason;
        }
    }

    /** A file whose name could lead out of the cache, or that no file system takes. */
    record UnsafeName(String repository, String commit, String name) implements HubFault {
        @Override
        public String message() {
            return repository + "@" + brief(commit) + ": the file name \"" + printable(name, 200)
                    + "\" is not one that is written to disk; the repository must rename it";
        }
    }

    /** No answer came. */
    record Unreachable(String host, String reason) implements HubFault {
        @Override
        public String message() {
            return host + " cannot be reached: " + reason + "; check the network and HF_ENDPOINT, or give --offline to use what is cached";
        }
    }

    /** An answer with a status that is no success. */
    record Refused(String host, int status, String what, String said) implements HubFault {
        @Override
        public String message() {
            return host + " answers " + status + " for " + what + quoted(said) + "; try again later";
        }
    }

    /** The hub asks to wait longer than is waited. */
    record Busy(String host, long seconds) implements HubFault {
        @Override
        public String message() {
            return host + " limits requests (429)" + (seconds > 0 ? "; try again in " + seconds + " s" : "; try again later")
                    + ", or set HF_TOKEN, which raises the limit";
        }
    }

    /** A redirect that is not followed. */
    record BadRedirect(String host, String reason) implements HubFault {
        @Override
        public String message() {
            return host + ": " + reason + "; check HF_ENDPOINT";
        }
    }

    /** An answer that is not what the hub's interface says. */
    record BadAnswer(String host, String what, String reason) implements HubFault {
        @Override
        public String message() {
            return host + ": the answer for " + what + " cannot be used: " + printable(reason, 300) + "; check HF_ENDPOINT";
        }
    }

    /** A file that never came whole. */
    record Broken(String repository, String path, long got, long bytes, String reason) implements HubFault {
        @Override
        public String message() {
            return repository + ": " + path + ": only " + got + " of " + bytes + " bytes came (" + printable(reason, 300)
                    + "); pull again to go on from there";
        }
    }

    /** A file whose bytes are not those the hub lists; what came is removed. */
    record WrongDigest(String repository, String path, String algorithm, String expected, String found) implements HubFault {
        @Override
        public String message() {
            return repository + ": " + path + ": its " + algorithm + " is " + found + ", the hub lists " + expected
                    + "; the file was removed: pull again, and if it happens again do not trust the source";
        }
    }

    /** The disk is too full. */
    record NoSpace(Path cache, long needed, long free) implements HubFault {
        @Override
        public String message() {
            return cache + ": " + ByteCount.text(needed) + " are needed, " + ByteCount.text(free)
                    + " are free; remove models (poot list, poot rm), or set POOT_CACHE to a folder on a larger disk";
        }
    }

    /** The model is not in the cache and the network may not be used. */
    record Offline(String reference, List<String> cached) implements HubFault {
        public Offline {
            cached = List.copyOf(cached);
        }

        @Override
        public String message() {
            return reference + ": not in the cache, and the network is switched off (--offline, POOT_OFFLINE or HF_HUB_OFFLINE); "
                    + (cached.isEmpty() ? "nothing of that repository is cached" : "cached of it: " + String.join(", ", cached));
        }
    }

    /** The cache holds no such model. */
    record NotCached(String reference, List<String> cached) implements HubFault {
        public NotCached {
            cached = List.copyOf(cached);
        }

        @Override
        public String message() {
            return reference + ": not in the cache; " + (cached.isEmpty() ? "see poot list" : "cached of it: " + String.join(", ", cached));
        }
    }

    /** Another process works on the repository's part of the cache. */
    record InUse(String repository, Path lock) implements HubFault {
        @Override
        public String message() {
            return repository + ": another process is pulling or removing it (" + lock + " is locked); wait for it";
        }
    }

    /** A file of the cache that cannot be read or written, or holds something else than it should. */
    record CacheFile(Path file, String reason) implements HubFault {
        @Override
        public String message() {
            return file + ": " + printable(reason, 300) + "; check the folder that POOT_CACHE names, or remove that file";
        }
    }

    /** The calling thread was interrupted. */
    record Interrupted(String repository) implements HubFault {
        @Override
        public String message() {
            return repository + ": interrupted; pull again to go on from there";
        }
    }

    /** A text from outside, without control characters and not longer than {@code most} characters. */
    static String printable(String text, int most) {
        String shown = text.codePoints().limit(most + 1L)
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c >= 0xD800 && c < 0xE000 ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
        return shown.codePointCount(0, shown.length()) > most ? shown.substring(0, shown.offsetByCodePoints(0, most)) + "..." : shown;
    }

    private static String quoted(String said) {
        return said.isEmpty() ? "" : " (\"" + said + "\")";
    }

    private static String brief(String commit) {
        return commit.length() > 12 ? commit.substring(0, 12) : commit;
    }
}
