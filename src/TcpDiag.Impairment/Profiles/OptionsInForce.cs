using System;
using System.Collections.Generic;

namespace TcpDiag.Impairment.Profiles;

/// <summary>
/// The options that hold, as text: what was replaced is not told any more, and what was replaced in one direction is told of the other.
/// Read again in their order, the lines make the same path.
/// </summary>
sealed class OptionsInForce
{
    /// <summary>The links in front of the observation point, out and in: what an option without prefix is about.</summary>
    public const int BothInFront = 0b0011;

    const int Directions = 2;

    // Links: a bit for each, out and in of the first segment, then of the second; those of one option are all of one segment.
    readonly List<(string Option, string Value, int Links)> _options = [];

    /// <summary>One <c>option: value</c> each.</summary>
    public IReadOnlyList<string> Lines => _options.ConvertAll(given => $"{given.Option}: {Prefix(given.Links)}{given.Value}");

    /// <summary>An option now holds.</summary>
    /// <param name="option">Its name.</param>
    /// <param name="value">Its value, without what chooses links.</param>
    /// <param name="links">The links it holds for.</param>
    public void Add(string option, string value, int links) => _options.Add((option, value, links));

    /// <summary>An option holds no more for some links.</summary>
    /// <param name="option">Its name.</param>
    /// <param name="links">The links.</param>
    /// <returns>Whether it held for one of them.</returns>
    public bool Withdraw(string option, int links)
    {
        bool held = false;
        for (int i = _options.Count - 1; i >= 0; i--)
        {
            (string name, string value, int given) = _options[i];
            if (!string.Equals(name, option, StringComparison.Ordinal) || (given & links) == 0)
            {
                continue;
            }

            held = true;
            _options[i] = (name, value, given & ~links);
            if ((given & ~links) == 0)
            {
                _options.RemoveAt(i);
            }
        }

        return held;
    }

    static string Prefix(int links)
    {
        bool behind = links > BothInFront;
        string direction = (behind ? links >> Directions : links) switch
        {
            0b01 => "out:",
            0b10 => "in:",
            _ => string.Empty,
        };
        return behind ? $"behind:{direction}" : direction;
    }
}
