using System;
using System.Collections.Generic;

namespace TcpDiag.Impairment.Profiles;

/// <summary>
/// The options in force, as text: a replaced option is left out, and one replaced in one direction is kept for the other.
/// Read again in their order, the lines give the same path.
/// </summary>
sealed class OptionsInForce
{
    /// <summary>The links in front of the observation point, out and in: what an option without a prefix applies to.</summary>
    public const int BothInFront = 0b0011;

    const int Directions = 2;

    // Links: a bit for each, out and in of the first segment, then of the second; those of one option are all of one segment.
    readonly List<(string Option, string Value, int Links)> _options = [];

    /// <summary>One <c>option: value</c> each.</summary>
    public IReadOnlyList<string> Lines => _options.ConvertAll(given => $"{given.Option}: {Prefix(given.Links)}{given.Value}");

    /// <summary>Adds an option for some links; its value has no prefix.</summary>
    public void Add(string option, string value, int links) => _options.Add((option, value, links));

    /// <summary>Removes an option for some links.</summary>
    /// <returns>Whether it was in force for one of them.</returns>
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
