package poot.serve.openai;

import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ObjectNode;

/** {@code GET /v1/models} and {@code GET /v1/models/ID}. */
public final class ModelCalls {
    private final Served served;

    /** Shows what is served. */
    public ModelCalls(Served served) {
        this.served = served;
    }

    /** Every model: the one. */
    public ObjectNode list() {
        ObjectNode out = JsonText.object().put("object", "list");
        out.putArray("data").add(model());
        return out;
    }

    /** The model of an id. */
    public ObjectNode one(String id) throws ApiException {
        if (!id.equals(served.id())) {
            throw new ApiException(new ApiFault.NoModel(id, served.id()));
        }
        return model();
    }

    private ObjectNode model() {
        return JsonText.object().put("id", served.id()).put("object", "model").put("created", served.created())
                .put("owned_by", "poot").put("max_model_len", served.capacity());
    }
}
