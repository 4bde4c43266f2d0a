using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Cli.Explain;
using TcpDiag.Doctor;
using TcpDiag.Platform;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>
/// The sentences that customers read, in one language: Resources/LANGUAGE.json, with {0} where something is filled in. English says in a word what a finding
/// means as the index of the findings does; other languages have findings.LANGUAGE.json.
/// </summary>
sealed class Sentences
{
    /// <summary>The language in which everything is said that only engineers read.</summary>
    public const string English = "en";

    static readonly NumberFormatInfo DecimalComma = new() { NumberDecimalSeparator = ",", PercentDecimalSeparator = "," };

    readonly Dictionary<string, string> _sentences;
    readonly Dictionary<string, string> _findings;
    readonly Phrases? _phrases; // null for English, which the code has

    Sentences(string language)
    {
        Language = language;
        Numbers = language is English ? NumberFormatInfo.InvariantInfo : DecimalComma;
        _phrases = language is English ? null : new(Read($"troubleshoot/messages.{language}.json"), Read($"troubleshoot/advice.{language}.json"));
        _sentences = Read($"troubleshoot/{language}.json");
        _findings = language is English
            ? Topics.All.Where(topic => topic.Page is not null)
            .ToDictionary(topic => topic.Names[0], topic => PlainMarkdown.Plain(topic.InAWord), StringComparer.Ordinal)
            : Read($"troubleshoot/findings.{language}.json");
    }

    /// <summary>The languages there are.</summary>
    public static string[] Languages { get; } = [English, "de"];

    /// <summary>The language, as HTML names it.</summary>
    public string Language { get; }

    /// <summary>How it writes numbers.</summary>
    public NumberFormatInfo Numbers { get; }

    /// <summary>What checks and findings say; null for English.</summary>
    internal Phrases? Phrases => _phrases;

    /// <summary>The names of all sentences.</summary>
    internal IReadOnlyDictionary<string, string> All => _sentences;

    /// <summary>What each finding means, in a word.</summary>
    internal IReadOnlyDictionary<string, string> Findings => _findings;

    /// <summary>The sentences of a language.</summary>
    /// <param name="language">One of <see cref="Languages"/>; null for that of the user, English where there are none in it.</param>
    public static Sentences In(string? language) => new(language ?? OfUser());

    /// <summary>A sentence.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="values">What is filled in.</param>
    public string Of(string name, params object[] values) => string.Format(Numbers, _sentences[name], values);

    /// <summary>What a check found, or what is to be done.</summary>
    /// <param name="message">As the check, or a finding, says it.</param>
    public string Say(Message message) => _phrases is null ? message.Text : message.Say(_phrases.Of, Numbers);

    /// <summary>A time that was chosen, not measured.</summary>
    /// <param name="time">Whole seconds.</param>
    public static string Time(TimeSpan time) => time.Seconds == 0
        ? FormattableString.Invariant($"{time.TotalMinutes:0} min")
        : FormattableString.Invariant($"{time.TotalSeconds:0} s");

    /// <summary>What a finding means, in a word.</summary>
    /// <param name="id">Its id.</param>
    public string Finding(string id) => _findings[id];

    /// <summary>The language of variables as POSIX orders them (LC_ALL, LC_MESSAGES, LANG).</summary>
    /// <param name="read">Reads a variable.</param>
    internal static string Of(Func<string, string?> read)
    {
        string locale = ((string[])["LC_ALL", "LC_MESSAGES", "LANG"]).Select(read).FirstOrDefault(value => !string.IsNullOrEmpty(value)) ?? string.Empty;
        return Array.Find(Languages, language => locale.StartsWith(language, StringComparison.OrdinalIgnoreCase)) ?? English;
    }

    // The program itself knows no cultures (InvariantGlobalization).
    static string OfUser() => OperatingSystem.IsWindows()
        ? WindowsLanguage.IsGerman ? "de" : English
        : Of(Environment.GetEnvironmentVariable);

    static Dictionary<string, string> Read(string name)
    {
        using Stream stream = typeof(Sentences).Assembly.GetManifestResourceStream(name) ?? throw new InvalidOperationException($"the program lacks {name}");
        return JsonSerializer.Deserialize(stream, SentencesJson.Default.DictionaryStringString)!;
    }
}

[JsonSerializable(typeof(Dictionary<string, string>))]
sealed partial class SentencesJson : JsonSerializerContext;
