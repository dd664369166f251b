package poot.api.graph;

/**
 * The facts of a refusal: which file, tensor, key or limit, what was asked for, what was found, and the remedy.
 * Every checked exception of poot carries exactly one, a record of a sealed family the caller can switch over.
 */
public interface Fault {
    /** One sentence for a person, naming every fact. */
    String message();
}
