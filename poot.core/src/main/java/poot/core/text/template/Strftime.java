package poot.core.text.template;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** {@code datetime.now().strftime(format)} in the C locale. */
final class Strftime {
    private Strftime() { }

    static String format(Run run, String format) throws TemplateException {
        run.make(format.length());
        LocalDateTime now = LocalDateTime.now(run.settings().clock());
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char c = format.charAt(i);
            if (c != '%' || i + 1 == format.length()) {
                out.append(c);
                continue;
            }
            boolean unpadded = format.charAt(i + 1) == '-' && i + 2 < format.length();
            i += unpadded ? 2 : 1;
            String field = field(now, format.charAt(i));
            if (field == null) {
                out.append('%').append(unpadded ? "-" : "").append(format.charAt(i));
            } else {
                run.append(out, unpadded ? unpadded(field) : field);
            }
        }
        return out.toString();
    }

    private static String unpadded(String field) {
        int from = 0;
        while (from < field.length() - 1 && (field.charAt(from) == '0' || field.charAt(from) == ' ')) {
            from++;
        }
        return field.substring(from);
    }

    /** A conversion's text, or null where there is no such conversion. */
    private static String field(LocalDateTime now, char conversion) {
        int hour12 = now.get(ChronoField.CLOCK_HOUR_OF_AMPM);
        int weekday = now.getDayOfWeek().getValue();
        return switch (conversion) {
            case 'a' -> text(now, "EEE");
            case 'A' -> text(now, "EEEE");
            case 'b', 'h' -> text(now, "MMM");
            case 'B' -> text(now, "MMMM");
            case 'c' -> text(now, "EEE MMM ") + "%2d".formatted(now.getDayOfMonth()) + text(now, " HH:mm:ss yyyy");
            case 'C' -> "%02d".formatted(now.getYear() / 100);
            case 'd' -> text(now, "dd");
            case 'D', 'x' -> text(now, "MM/dd/yy");
            case 'e' -> "%2d".formatted(now.getDayOfMonth());
            case 'f' -> "%06d".formatted(now.getNano() / 1000);
            case 'F' -> text(now, "yyyy-MM-dd");
            case 'g' -> "%02d".formatted(now.get(IsoFields.WEEK_BASED_YEAR) % 100);
            case 'G' -> Integer.toString(now.get(IsoFields.WEEK_BASED_YEAR));
            case 'H' -> text(now, "HH");
            case 'I' -> "%02d".formatted(hour12);
            case 'j' -> "%03d".formatted(now.getDayOfYear());
            case 'k' -> "%2d".formatted(now.getHour());
            case 'l' -> "%2d".formatted(hour12);
            case 'm' -> text(now, "MM");
            case 'M' -> text(now, "mm");
            case 'n' -> "\n";
            case 'p' -> now.getHour() < 12 ? "AM" : "PM";
            case 'P' -> now.getHour() < 12 ? "am" : "pm";
            case 'r' -> "%02d".formatted(hour12) + text(now, ":mm:ss ") + (now.getHour() < 12 ? "AM" : "PM");
            case 'R' -> text(now, "HH:mm");
            case 'S' -> text(now, "ss");
            case 't' -> "\t";
            case 'T', 'X' -> text(now, "HH:mm:ss");
            case 'u' -> Integer.toString(weekday);
            case 'U' -> "%02d".formatted((now.getDayOfYear() + 6 - weekday % 7) / 7);
            case 'V' -> "%02d".formatted(now.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
            case 'w' -> Integer.toString(weekday % 7);
            case 'W' -> "%02d".formatted((now.getDayOfYear() + 6 - (weekday - 1)) / 7);
            case 'y' -> text(now, "yy");
            case 'Y' -> text(now, "yyyy");
            case 'z', 'Z' -> "";
            case '%' -> "%";
            default -> null;
        };
    }

    private static String text(LocalDateTime now, String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(now);
    }
}
