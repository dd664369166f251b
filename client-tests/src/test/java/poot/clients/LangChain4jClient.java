package poot.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.output.FinishReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** LangChain4j's OpenAI module against a server. */
final class LangChain4jClient {
    private static final List<ChatMessage> MESSAGES =
            List.of(SystemMessage.from("Be brief."), UserMessage.from("What is the capital of France?"));
    private static final ToolSpecification WEATHER = ToolSpecification.builder().name("weather").description("The weather of a city.")
            .parameters(JsonObjectSchema.builder().addStringProperty("city").required("city").build()).build();

    private final Servers servers;

    LangChain4jClient(Servers servers) {
        this.servers = servers;
    }

    Features features() {
        return new Features().with("chat", this::chat).with("usage", this::usage).with("stream", this::stream)
                .with("sampling", this::sampling).with("tools", this::tools).with("embeddings", this::embeddings)
                .with("errors", this::errors);
    }

    private OpenAiChatModel.OpenAiChatModelBuilder model() {
        return OpenAiChatModel.builder().baseUrl(servers.chat().v1()).apiKey("none").modelName(servers.chat().id())
                .temperature(0.0).maxTokens(200).maxRetries(0).timeout(Duration.ofSeconds(60));
    }

    private void chat() {
        ChatResponse r = model().maxTokens(12).build().chat(MESSAGES);
        assertFalse(r.aiMessage().text().isEmpty());
        assertTrue(List.of(FinishReason.STOP, FinishReason.LENGTH).contains(r.finishReason()));
    }

    private void usage() {
        ChatResponse r = model().maxTokens(5).build().chat(MESSAGES);
        assertTrue(r.tokenUsage().inputTokenCount() > 0 && r.tokenUsage().outputTokenCount() <= 5, r.tokenUsage().toString());
    }

    private void stream() throws Exception {
        String whole = model().build().chat(MESSAGES).aiMessage().text();
        StringBuilder pieces = new StringBuilder();
        CompletableFuture<ChatResponse> end = new CompletableFuture<>();
        OpenAiStreamingChatModel.builder().baseUrl(servers.chat().v1()).apiKey("none").modelName(servers.chat().id())
                .temperature(0.0).maxTokens(200).timeout(Duration.ofSeconds(60)).build().chat(MESSAGES, new StreamingChatResponseHandler() {
                    @Override
                    public void onPartialResponse(String piece) {
                        pieces.append(piece);
                    }

                    @Override
                    public void onCompleteResponse(ChatResponse response) {
                        end.complete(response);
                    }

                    @Override
                    public void onError(Throwable error) {
                        end.completeExceptionally(error);
                    }
                });
        ChatResponse last = end.get(60, TimeUnit.SECONDS);
        assertEquals(whole, pieces.toString());
        assertTrue(last.tokenUsage().outputTokenCount() > 0);
    }

    private void sampling() {
        OpenAiChatModel m = model().temperature(1.0).topP(0.9).seed(7).presencePenalty(0.5).frequencyPenalty(0.5)
                .stop(List.of("\n\n")).user("someone").maxTokens(12).build();
        assertEquals(m.chat(MESSAGES).aiMessage().text(), m.chat(MESSAGES).aiMessage().text());
    }

    private void tools() {
        OpenAiChatModel m = model().build();
        UserMessage question = UserMessage.from("What is the weather in Paris?");
        ChatResponse first = m.chat(ChatRequest.builder().messages(question).toolSpecifications(WEATHER).build());
        assertEquals(FinishReason.TOOL_EXECUTION, first.finishReason());
        ToolExecutionRequest call = first.aiMessage().toolExecutionRequests().getFirst();
        assertEquals("weather", call.name());
        assertTrue(call.arguments().contains("Paris"), call.arguments());
        ChatResponse second = m.chat(ChatRequest.builder().toolSpecifications(WEATHER)
                .messages(question, first.aiMessage(), ToolExecutionResultMessage.from(call, "18 degrees")).build());
        assertFalse(second.aiMessage().text().isEmpty());
    }

    private void embeddings() {
        List<Embedding> vectors = OpenAiEmbeddingModel.builder().baseUrl(servers.embedding().v1()).apiKey("none")
                .modelName(servers.embedding().id()).maxRetries(0).build()
                .embedAll(List.of(TextSegment.from("a cat"), TextSegment.from("a dog"))).content();
        assertEquals(2, vectors.size());
        assertTrue(vectors.getFirst().dimension() > 0);
    }

    private void errors() {
        InvalidRequestException e = assertThrows(InvalidRequestException.class, () -> model().temperature(9.0).build().chat(MESSAGES));
        assertTrue(e.getMessage().contains("temperature"), e.getMessage());
    }
}
