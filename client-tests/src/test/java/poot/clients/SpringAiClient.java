package poot.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.openai.errors.BadRequestException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.openai.OpenAiEmbeddingModel;
import org.springframework.ai.openai.OpenAiEmbeddingOptions;
import org.springframework.ai.tool.function.FunctionToolCallback;

/** Spring AI's OpenAI client against a server. */
final class SpringAiClient {
    private static final List<Message> MESSAGES =
            List.of(new SystemMessage("Be brief."), new UserMessage("What is the capital of France?"));

    /** What the tool takes. */
    record City(String city) {}

    private final Servers servers;

    SpringAiClient(Servers servers) {
        this.servers = servers;
    }

    Features features() {
        return new Features().with("chat", this::chat).with("usage", this::usage).with("stream", this::stream)
                .with("sampling", this::sampling).with("tools", this::tools).with("embeddings", this::embeddings)
                .with("errors", this::errors);
    }

    private OpenAiChatOptions.Builder options() {
        OpenAiChatOptions.Builder b = OpenAiChatOptions.builder();
        b.baseUrl(servers.chat().v1()).apiKey("none").model(servers.chat().id());
        b.maxRetries(0).timeout(Duration.ofSeconds(60)).temperature(0.0).maxTokens(200);
        return b;
    }

    private static OpenAiChatModel model(OpenAiChatOptions options) {
        return OpenAiChatModel.builder().options(options).build();
    }

    private static String text(ChatResponse r) {
        return Objects.requireNonNull(Objects.requireNonNull(r.getResult()).getOutput().getText());
    }

    private void chat() {
        assertFalse(text(model(options().build()).call(new Prompt(MESSAGES))).isEmpty());
    }

    private void usage() {
        ChatResponse r = model(options().build()).call(new Prompt(MESSAGES));
        assertTrue(r.getMetadata().getUsage().getPromptTokens() > 0 && r.getMetadata().getUsage().getCompletionTokens() > 0);
    }

    private void stream() {
        OpenAiChatModel m = model(options().build());
        List<ChatResponse> parts = Objects.requireNonNull(m.stream(new Prompt(MESSAGES)).collectList().block(Duration.ofSeconds(60)));
        String pieces = parts.stream().filter(p -> p.getResult() != null && p.getResult().getOutput().getText() != null)
                .map(SpringAiClient::text).collect(Collectors.joining());
        assertEquals(text(m.call(new Prompt(MESSAGES))), pieces);
    }

    private void sampling() {
        OpenAiChatOptions.Builder b = options();
        b.temperature(1.0).topP(0.9).presencePenalty(0.5).frequencyPenalty(0.5);
        b.seed(7).stop(List.of("\n\n")).user("someone");
        OpenAiChatModel m = model(b.build());
        assertEquals(text(m.call(new Prompt(MESSAGES))), text(m.call(new Prompt(MESSAGES))));
    }

    private void tools() {
        OpenAiChatOptions.Builder b = options();
        b.toolCallbacks(FunctionToolCallback.builder("weather", (City c) -> c.city() + ": 18 degrees")
                .description("The weather of a city.").inputType(City.class).build());
        OpenAiChatOptions asked = b.build();
        OpenAiChatModel m = model(options().build());
        Message question = new UserMessage("What is the weather in Paris?");
        AssistantMessage first = Objects.requireNonNull(m.call(new Prompt(List.of(question), asked)).getResult()).getOutput();
        AssistantMessage.ToolCall call = first.getToolCalls().getFirst();
        assertEquals("weather", call.name());
        assertTrue(call.arguments().contains("Paris"), call.arguments());
        ToolResponseMessage result = ToolResponseMessage.builder()
                .responses(List.of(new ToolResponseMessage.ToolResponse(call.id(), call.name(), "18 degrees"))).build();
        assertFalse(text(m.call(new Prompt(List.of(question, first, result), asked))).isEmpty());
    }

    private void embeddings() {
        OpenAiEmbeddingOptions.Builder b = OpenAiEmbeddingOptions.builder();
        b.baseUrl(servers.embedding().v1()).apiKey("none").model(servers.embedding().id());
        OpenAiEmbeddingOptions options = b.build();
        EmbeddingResponse r = OpenAiEmbeddingModel.builder().options(options).build().call(new EmbeddingRequest(List.of("a cat", "a dog"), options));
        assertEquals(2, r.getResults().size());
        assertTrue(r.getResults().getFirst().getOutput().length > 0);
    }

    private void errors() {
        OpenAiChatOptions.Builder b = options();
        b.temperature(9.0);
        OpenAiChatModel m = model(b.build());
        BadRequestException e = assertThrows(BadRequestException.class, () -> m.call(new Prompt(MESSAGES)));
        assertTrue(e.getMessage().contains("temperature"), e.getMessage());
    }
}
