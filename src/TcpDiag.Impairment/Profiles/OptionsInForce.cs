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
    readonly List<(string Option, string Value, int Links, int Source)> _options = [];

    /// <summary>One <c>option: value</c> each.</summary>
    public IReadOnlyList<string> Lines => _options.ConvertAll(given => $"{given.Option}: {Prefix(given.Links)}{given.Value}");

    /// <summary>Adds an option for some links; its value has no prefix but the time of a change.</summary>
    public void Add(string option, string value, int links, int source) => _options.Add((option, value, links, source));

    /// <summary>Removes an option for some links.</summary>
    /// <returns>Whether it was in force for one of them.</returns>
    public bool Withdraw(string option, int links) => Withdraw(option, links, isChange: false, int.MaxValue);

    /// <summary>Removes the changes of an option for some links that came from sources before one.</summary>
    public void WithdrawChanges(string option, int links, int source) => Withdraw(option, links, isChange: true, source);

    bool Withdraw(string option, int links, bool isChange, int before)
    {
        bool held = false;
        for (int i = _options.Count - 1; i >= 0; i--)
        {
            (string name, string value, int given, int source) = _options[i];
            bool isMeant = string.Equals(name, option, StringComparison.Ordinal) && source < before
                && value.StartsWith(ImpairmentOptionsParser.At, StringComparison.Ordinal) == isChange;
            if (!isMeant || (given & links) == 0)
            {
                continue;
            }

            held = true;
            _options[i] = (name, value, given & ~links, source);
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
