package poot.serve.fault;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import poot.api.driver.AdmitFault;
import poot.api.graph.Fault;
import poot.api.model.ChatException.ChatFault;

/** Why a request has another answer than the one it asks for. */
public sealed interface ApiFault extends Fault {
    /** A refusal of what a request says: the client can put it right. */
    sealed interface OfRequest extends ApiFault {
        /** Where in the request: {@code messages[0].content}; empty for the request as a whole. */
        String field();
    }

    /** The body is no JSON, or more of it than is read. */
    record BadJson(String trouble) implements OfRequest {
        @Override
        public String field() {
            return "";
        }

        @Override
        public String message() {
            return "the body cannot be read as JSON: " + trouble;
        }
    }

    /** The request line, headers or framing are malformed. */
    record BadHttp(String trouble) implements OfRequest {
        @Override
        public String field() {
            return "";
        }

        @Override
        public String message() {
            return "the request is malformed: " + trouble;
        }
    }

    /** A field no schema has. */
    record UnknownField(String field, List<String> known) implements OfRequest {
        public UnknownField {
            known = List.copyOf(known);
        }

        @Override
        public String message() {
            return "unknown field " + field + "; known here: " + String.join(", ", known);
        }
    }

    /** A required field is not there. */
    record MissingField(String field) implements OfRequest {
        @Override
        public String message() {
            return field + " is required";
        }
    }

    /** A value of another type. */
    record WrongType(String field, String expected, String found) implements OfRequest {
        @Override
        public String message() {
            return (field.isEmpty() ? "the body" : field) + " must be " + expected + ", not " + found;
        }
    }

    /** A value of the right type that is not allowed. */
    record NotAllowed(String field, String value, String allowed) implements OfRequest {
        @Override
        public String message() {
            return field + " is " + value + "; it must be " + allowed;
        }
    }

    /** A field, or a value of it, that this server does not serve. */
    record Unsupported(String field, String why) implements OfRequest {
        @Override
        public String message() {
            return field + " is not supported: " + why;
        }
    }

    /** The prompt is longer than the server takes. */
    record PromptTooLong(String field, long tokens, long limit) implements OfRequest {
        @Override
        public String message() {
            return "the prompt has " + tokens + " tokens; at most " + limit + " are taken; shorten it";
        }
    }

    /** The template refuses the conversation, or one of its messages is malformed. */
    record BadChat(String field, ChatFault fault) implements OfRequest {
        @Override
        public String message() {
            return fault.message();
        }
    }

    /** The driver does not admit the request. */
    record NotAdmitted(String field, AdmitFault fault) implements OfRequest {
        @Override
        public String message() {
            return fault.message();
        }
    }

    /** Another model than the one served. */
    record NoModel(String asked, String served) implements ApiFault {
        @Override
        public String message() {
            return "the model \"" + asked + "\" is not served here; \"" + served + "\" is";
        }
    }

    /** Nothing is at that path. */
    record NoPath(String path) implements ApiFault {
        @Override
        public String message() {
            return "there is nothing at " + path + "; /openapi.json lists what there is";
        }
    }

    /** The path takes another method. */
    record WrongMethod(String method, String path, Collection<String> allowed) implements ApiFault {
        public WrongMethod {
            allowed = List.copyOf(allowed);
        }

        @Override
        public String message() {
            return path + " takes " + String.join(", ", allowed) + ", not " + method;
        }
    }

    /** No key, or one that is not known. */
    record NoKey(boolean given) implements ApiFault {
        @Override
        public String message() {
            return given ? "the API key is not known here" : "an API key is required: send Authorization: Bearer KEY";
        }
    }

    /** The body is larger than is read. */
    record BodyTooLarge(long limit) implements ApiFault {
        @Override
        public String message() {
            return "the body is larger than " + limit + " bytes";
        }
    }

    /** The body is of another type. */
    record WrongMedia(String found) implements ApiFault {
        @Override
        public String message() {
            return "the body must be application/json, not " + found;
        }
    }

    /** The body did not arrive in time. */
    record TooSlow(Duration limit) implements ApiFault {
        @Override
        public String message() {
            return "the request did not arrive within " + limit.toMillis() + " ms";
        }
    }

    /** More requests of one key than its rate allows. */
    record RateLimited(int perMinute, Duration retry) implements ApiFault {
        @Override
        public String message() {
            return "more than " + perMinute + " requests a minute; try again in " + seconds(retry) + " s";
        }
    }

    /** The queue is full. */
    record Busy(String why, Duration retry) implements ApiFault {
        @Override
        public String message() {
            return why + "; try again in " + seconds(retry) + " s";
        }
    }

    /** The server is starting, or stops. */
    record NotServing(String why) implements ApiFault {
        @Override
        public String message() {
            return why;
        }
    }

    /** The request was admitted and failed. */
    record Failed(Fault fault) implements ApiFault {
        @Override
        public String message() {
            return fault.message();
        }
    }

    /** A fault of the server. */
    record Internal(String what) implements ApiFault {
        @Override
        public String message() {
            return what;
        }
    }

    private static long seconds(Duration d) {
        return Math.max(1, (d.toMillis() + 999) / 1000);
    }
}
