using System;
using System.Globalization;

namespace TcpDiag.Traces.Filtering;

/// <summary>What a user calls a process: its id, or the beginning of its name.</summary>
public static class ProcessWord
{
    /// <summary>Whether a process is meant.</summary>
    /// <param name="word">What the user wrote.</param>
    /// <param name="id">The process; null when not known.</param>
    /// <param name="name">Name of its image; null when not known.</param>
    /// <returns>True for its id and for the beginning of its name, in capitals or not.</returns>
    public static bool Means(string word, uint? id, string? name)
    {
        ArgumentNullException.ThrowIfNull(word);
        bool isId = uint.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out uint number) && number == id;
        return isId || (name is not null && name.StartsWith(word, StringComparison.OrdinalIgnoreCase));
    }
}
