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

    /// <summary>A network, or an address turned round (<see cref="PrefixText"/>).</summary>
    Network,

    /// <summary>A security identifier that may name somebody (<see cref="SecurityId"/>).</summary>
    SecurityId,

    /// <summary>A GUID in its usual form of 36 characters.</summary>
    Guid,

    /// <summary>What tells a device from others of its make (<see cref="DeviceInstance"/>).</summary>
    DeviceInstance,
}
