namespace TcpDiag.Traces.Redaction;

/// <summary>Which words of a text stay, besides well-known ones and short numbers.</summary>
enum TextRule
{
    /// <summary>None.</summary>
    Ordinary,

    /// <summary>Numbers of any length: counters.</summary>
    Facts,

    /// <summary>All that are not replaced elsewhere: names that the system gives to its settings, which may have that of an interface in them. Other texts must have been learnt before.</summary>
    Names,
}
