namespace TcpDiag.Traces.Redaction;

/// <summary>What a piece of a text is.</summary>
enum TextTokenKind
{
    /// <summary>ASCII punctuation, blanks and control characters.</summary>
    Separator,

    /// <summary>Letters and digits.</summary>
    Word,

    /// <summary>An IPv4 or IPv6 address.</summary>
    Address,

    /// <summary>A MAC address, its bytes divided by colons or hyphens.</summary>
    Mac,
}
