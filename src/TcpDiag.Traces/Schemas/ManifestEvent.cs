namespace TcpDiag.Traces.Schemas;

/// <summary>An event as a manifest's XML declares it; empty texts are absent attributes.</summary>
/// <param name="Id">The event's number.</param>
/// <param name="Version">Version of its layout.</param>
/// <param name="Level">1 critical to 5 verbose; 0 none.</param>
sealed record ManifestEvent(int Id, byte Version, byte Level)
{
    /// <summary>The event's name.</summary>
    public required string Symbol { get; init; }

    /// <summary>Name of its task.</summary>
    public required string Task { get; init; }

    /// <summary>Name of its opcode.</summary>
    public required string Opcode { get; init; }

    /// <summary>The template that has its fields.</summary>
    public required string Template { get; init; }

    /// <summary>Names of its keywords, blanks between them.</summary>
    public required string Keywords { get; init; }
}
