namespace TcpDiag.Analysis;

/// <summary>The operating system at an end of a connection.</summary>
public enum EndSystem
{
    /// <summary>Not known: nothing of that end was recorded but packets, which tell it at best by habit.</summary>
    Unknown = 0,

    /// <summary>Windows.</summary>
    Windows = 1,

    /// <summary>Linux.</summary>
    Linux = 2,
}
