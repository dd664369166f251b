package poot.api.driver;


/** Two features that do not compose, and why. */
public record Incompatible(Feature first, Feature second, String reason) implements AdmitFault, PrepareFault, StepFault {
    @Override
    public String message() {
        return first + " does not compose with " + second + ": " + reason;
    }
}
