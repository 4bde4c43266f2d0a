namespace TcpDiag.Traces.Schemas;

/// <summary>How sure it is that a schema is the one the event was logged with, from surest to least.</summary>
public enum SchemaMatchKind
{
    /// <summary>There is no schema.</summary>
    None = 0,

    /// <summary>The trace itself describes the event.</summary>
    InFile,

    /// <summary>The event's layout on exactly the trace's build.</summary>
    ExactBuild,

    /// <summary>All known builds have the same layout for this id and version.</summary>
    SameOnAllBuilds,

    /// <summary>The layout of the nearest known build, mostly the one before.</summary>
    NearestBuild,

    /// <summary>The build is unknown: of the layouts with this id and version the longest that fits the payload.</summary>
    PayloadLength,

    /// <summary>This version is unknown: the latest version before it. What is behind its fields stays undecoded.</summary>
    OlderVersion,
}
