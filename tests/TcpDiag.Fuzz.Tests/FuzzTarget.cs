using System;
using System.Collections.Generic;

namespace TcpDiag.Fuzz.Tests;

/// <summary>Code that reads bytes from outside, and good inputs to damage.</summary>
/// <param name="Name">Name in messages, and the beginning of the file names of its crashers in tests/corpus.</param>
/// <param name="Seeds">Good inputs; small ones, so that many can be tried.</param>
/// <param name="Read">Reads all of an input and returns the number of records or items it met.</param>
sealed record FuzzTarget(string Name, IReadOnlyList<byte[]> Seeds, Func<byte[], long> Read)
{
    /// <inheritdoc/>
    public override string ToString() => Name;
}
