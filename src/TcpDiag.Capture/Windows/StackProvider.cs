using System;
using System.Globalization;

namespace TcpDiag.Capture.Windows;

/// <summary>A provider of events.</summary>
/// <param name="Name">Its name, the same in every language.</param>
/// <param name="Id">Its identifier.</param>
/// <param name="Level">Events up to this level are recorded: 4 informational, 5 verbose.</param>
public sealed record StackProvider(string Name, Guid Id, int Level)
{
    /// <summary>Whether it tells what there is already, e.g. open connections, when asked for its state.</summary>
    public bool TellsState { get; init; }

    /// <summary>The level as text.</summary>
    internal string LevelText => Level.ToString(CultureInfo.InvariantCulture);
}
