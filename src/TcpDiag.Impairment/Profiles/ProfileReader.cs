using System.Globalization;
using System.IO;
using YamlDotNet.Core;
using YamlDotNet.Core.Events;

namespace TcpDiag.Impairment.Profiles;

/// <summary>
/// Reads a profile file: one YAML mapping from option names to a value or a list of values, each written as on the command line. Read event by event, so
/// that every message has line and column; anchors, aliases, tags and nesting are refused, and a file is at most 64 KiB.
/// </summary>
public static class ProfileReader
{
    /// <summary>The longest profile, in characters.</summary>
    public const int MaxCharacters = 64 * 1024;

    /// <summary>Passes the options of a profile to a parser.</summary>
    /// <param name="name">The file's name, for messages.</param>
    /// <param name="text">The file.</param>
    /// <param name="options">Takes the options.</param>
    /// <exception cref="ImpairmentException">The text is not YAML, or an option in it cannot be parsed.</exception>
    public static void Read(string name, string text, ImpairmentOptionsParser options)
    {
        if (text.Length > MaxCharacters)
        {
            throw new ImpairmentException(name, "at most 65536 characters", text.Length.ToString(CultureInfo.InvariantCulture));
        }

        try
        {
            ReadDocument(name, new Parser(new StringReader(text)), options);
        }
        catch (YamlException e)
        {
            throw new ImpairmentException(Where(name, e.Start), "YAML", e.Message);
        }
    }

    /// <summary>Reads a profile file without further options.</summary>
    /// <param name="name">The file's name, for messages.</param>
    /// <param name="text">The file.</param>
    /// <returns>The profile.</returns>
    /// <exception cref="ImpairmentException">The text is not YAML, or an option in it cannot be parsed.</exception>
    public static ImpairmentProfile Read(string name, string text)
    {
        ImpairmentOptionsParser options = new();
        Read(name, text, options);
        return options.Build();
    }

    static void ReadDocument(string name, Parser yaml, ImpairmentOptionsParser options)
    {
        Take<StreamStart>(name, yaml, "a YAML stream");
        Take<DocumentStart>(name, yaml, "a mapping of options");
        Take<MappingStart>(name, yaml, "a mapping of options such as 'rate: 100mbit'");
        while (!yaml.Accept<MappingEnd>(out _))
        {
            ReadOption(name, yaml, options);
        }

        yaml.MoveNext();
        Take<DocumentEnd>(name, yaml, "the end of the document");
        Take<StreamEnd>(name, yaml, "one document");
    }

    static void ReadOption(string name, Parser yaml, ImpairmentOptionsParser options)
    {
        Scalar option = TakeScalar(name, yaml, "an option name");
        if (!yaml.Accept<SequenceStart>(out _))
        {
            Set(name, option, TakeScalar(name, yaml, "a value, or a list of values"), options);
            return;
        }

        yaml.MoveNext();
        while (!yaml.Accept<SequenceEnd>(out _))
        {
            Set(name, option, TakeScalar(name, yaml, "a value"), options);
        }

        yaml.MoveNext();
    }

    static void Set(string name, Scalar option, Scalar value, ImpairmentOptionsParser options) =>
        options.Set($"{Where(name, option.Start)} {option.Value}", option.Value, value.Value);

    static Scalar TakeScalar(string name, Parser yaml, string expected)
    {
        Scalar scalar = Take<Scalar>(name, yaml, expected);
        return scalar.Anchor.IsEmpty && scalar.Tag.IsEmpty
            ? scalar
            : throw new ImpairmentException(Where(name, scalar.Start), $"{expected} without anchor or tag", $"'{scalar.Value}'");
    }

    static T Take<T>(string name, Parser yaml, string expected)
        where T : ParsingEvent
    {
        if (!yaml.Accept<T>(out _) || yaml.Current is not T found)
        {
            Mark at = yaml.Current?.Start ?? Mark.Empty;
            throw new ImpairmentException(Where(name, at), expected, yaml.Current?.GetType().Name ?? "the end");
        }

        yaml.MoveNext();
        return found;
    }

    static string Where(string name, Mark at) => string.Create(CultureInfo.InvariantCulture, $"{name}:{at.Line}:{at.Column}");
}
