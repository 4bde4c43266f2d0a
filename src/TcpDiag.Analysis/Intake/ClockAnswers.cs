using System.Collections.Generic;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// What connections said of the recording clock when a trace was read for its first part of them: when it is read for the others, whose connections cannot be
/// asked, it counts again, so that all parts have one clock.
/// </summary>
sealed class ClockAnswers
{
    readonly Dictionary<long, bool> _stoodStill = [];
    readonly HashSet<long> _beforeData = [];
    bool _isComplete;

    /// <summary>The first reading has ended.</summary>
    public void Complete() => _isComplete = true;

    /// <summary>Whether time stood still in a silence, by a packet behind it; null where that does not show it.</summary>
    /// <param name="packet">Number of the packet.</param>
    /// <param name="asked">What its connection says in the first reading.</param>
    public bool? HasStoodStill(long packet, bool? asked)
    {
        if (_isComplete)
        {
            return _stoodStill.TryGetValue(packet, out bool answer) ? answer : null;
        }

        if (asked is { } said)
        {
            _stoodStill[packet] = said;
        }

        return asked;
    }

    /// <summary>Whether a packet acknowledges data that was recorded after it.</summary>
    /// <param name="packet">Number of the packet.</param>
    /// <param name="asked">What its connection says in the first reading.</param>
    public bool IsBeforeItsData(long packet, bool asked)
    {
        if (_isComplete)
        {
            return _beforeData.Contains(packet);
        }

        if (asked)
        {
            _beforeData.Add(packet);
        }

        return asked;
    }
}
