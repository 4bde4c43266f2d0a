namespace TcpDiag.Traces.Redaction;

/// <summary>Which words of a text stay, besides well-known ones and short numbers.</summary>
enum TextRule
{
    /// <summary>None.</summary>
    Ordinary,

    /// <summary>Numbers of any length, and keys in front of an equals sign: counters and settings.</summary>
    Facts,

    /// <summary>All that were not replaced elsewhere: names that the system gives to its settings, which may have that of an interface in them.</summary>
    Names,
}
