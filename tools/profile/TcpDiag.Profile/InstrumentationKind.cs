namespace TcpDiag.Profile;

/// <summary>What a counter of the just-in-time compiler counts (PgoInstrumentationKind of dotnet/runtime): of its kinds those that a profile takes.</summary>
enum InstrumentationKind
{
    /// <summary>How often a call through a class or an interface was reached; its histogram follows.</summary>
    ClassCount = 177,

    /// <summary>Up to 32 classes of the object that was called on, drawn at random.</summary>
    ClassHistogram = 195,

    /// <summary>How often control went from one block of a method to another.</summary>
    EdgeCount = 385,
}
