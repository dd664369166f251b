package poot.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The rows of docs/clients.md: what each client was seen to do. */
final class ClientTable {
    private static final Path FILE = Path.of("..", "docs", "clients.md").toAbsolutePath().normalize();
    private static final List<String> COLUMNS = List.of("models", "chat", "usage", "stream", "abort", "concurrent", "sampling", "logprobs",
            "tools", "tools_streamed", "completions", "embeddings", "responses", "responses_tools", "errors");

    private ClientTable() {}

    static String row(String client, Set<String> seen) {
        return "| " + client + " | " + COLUMNS.stream().map(c -> seen.contains(c) ? "✓" : "–").collect(Collectors.joining(" | ")) + " |";
    }

    /** The head of the table. */
    static String head() {
        return "| client | " + COLUMNS.stream().map(c -> c.replace('_', ' ')).collect(Collectors.joining(" | ")) + " |";
    }

    /** Whether the file has the row, under the head. */
    static boolean has(String row) throws IOException {
        List<String> lines = Files.readAllLines(FILE);
        return lines.contains(head()) && lines.contains(row);
    }
}
