using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace TcpDiag.Doctor;

/// <summary>
/// What a check says: English with holes, and what fills them. The text is made where it is printed, so that it can be said in another language; the English
/// with its holes (<c>name server {0}: {1}</c>) is the key to that.
/// </summary>
/// <param name="literalLength">Unused; the compiler passes it.</param>
/// <param name="formattedCount">How many holes there are.</param>
[InterpolatedStringHandler]
[JsonConverter(typeof(MessageConverter))]
[SuppressMessage("Design", "CA1036", Justification = "Texts have no order.")]
public sealed class Message(int literalLength, int formattedCount) : IEquatable<Message>
{
    readonly StringBuilder _template = new(literalLength + (formattedCount * 3));
    readonly List<object?> _values = [];

    /// <summary>The English text with {0}, {1} where something is filled in, as composite formats have it.</summary>
    public string Template => _template.ToString();

    /// <summary>The English text.</summary>
    public string Text => Say(template => template, CultureInfo.InvariantCulture);

    /// <summary>A text without holes.</summary>
    public static implicit operator Message(string text) => Whole(text);

    /// <summary>A text without holes.</summary>
    /// <param name="text">English.</param>
    public static Message Whole(string text)
    {
        var message = new Message(0, 0);
        message.AppendLiteral(text);
        return message;
    }

    /// <summary>The text in a language.</summary>
    /// <param name="translate">The template in the language, by the English one.</param>
    /// <param name="numbers">How it writes numbers.</param>
    public string Say(Func<string, string> translate, IFormatProvider numbers)
    {
        ArgumentNullException.ThrowIfNull(translate);
        object?[] said = [.. _values.Select(
            value => value is Message inner ? inner.Say(translate, numbers) : value is Formatted formatted ? formatted.In(numbers) : value)];
        return string.Format(numbers, translate(Template), said);
    }

    /// <summary>Adds a piece of the text; the compiler calls it.</summary>
    public void AppendLiteral(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        _template.Append(value.Replace("{", "{{", StringComparison.Ordinal).Replace("}", "}}", StringComparison.Ordinal));
    }

    /// <summary>Adds what fills a hole; the compiler calls it.</summary>
    public void AppendFormatted<T>(T value, string? format = null)
    {
        _template.Append(CultureInfo.InvariantCulture, $"{{{_values.Count}}}");
        _values.Add(format is not null && value is IFormattable formattable ? new Formatted(formattable, format) : value);
    }

    /// <inheritdoc/>
    public bool Equals(Message? other) => string.Equals(Text, other?.Text, StringComparison.Ordinal);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as Message);

    /// <inheritdoc/>
    public override int GetHashCode() => StringComparer.Ordinal.GetHashCode(Text);

    /// <inheritdoc/>
    public override string ToString() => Text;

    sealed record Formatted(IFormattable Value, string Format)
    {
        public string In(IFormatProvider numbers) => Value.ToString(Format, numbers);
    }
}

/// <summary>A measured quantity as <see cref="Analysis.Results.Quantity"/> writes it, with the decimal separator of the language.</summary>
/// <param name="Text">A number with its unit, as in English.</param>
public readonly record struct Figure(string Text) : IFormattable
{
    /// <inheritdoc/>
    public string ToString(string? format, IFormatProvider? formatProvider) =>
        Text.Replace(".", NumberFormatInfo.GetInstance(formatProvider).NumberDecimalSeparator, StringComparison.Ordinal);

    /// <inheritdoc/>
    public override string ToString() => Text;
}

/// <summary>Documents hold the English text.</summary>
sealed class MessageConverter : JsonConverter<Message>
{
    public override Message Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        Message.Whole(reader.GetString() ?? string.Empty);

    public override void Write(Utf8JsonWriter writer, Message value, JsonSerializerOptions options) => writer.WriteStringValue(value.Text);
}
