using System.Numerics;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Traces.StackEvents;

/// <summary>
/// One event of the TCP stack in the common vocabulary. What a source does not report is absent, never 0. The reader owns
/// one instance and fills it anew for every event: copy what must outlive the next read.
/// </summary>
public sealed class StackEvent
{
    const int FieldCount = (int)StackField.OriginalMss + 1; // the last one
    const int WordCount = (FieldCount + 63) / 64;

    Values _values;
    PresenceWords _present;

    /// <summary>What happened.</summary>
    public StackEventKind Kind { get; private set; }

    /// <summary>When.</summary>
    public TraceTime Time { get; private set; }

    /// <summary>
    /// The stack's handle of the connection (address of the TCB on Windows, socket address on Linux); 0 when the event has none.
    /// A value is used again after its connection ended.
    /// </summary>
    public ulong Tcb { get; set; }

    /// <summary>Process that owns the connection or made the call; null when unknown.</summary>
    public uint? ProcessId { get; set; }

    /// <summary>This machine's end, null when unknown.</summary>
    public Endpoint? Local { get; set; }

    /// <summary>The peer's end, null when unknown.</summary>
    public Endpoint? Remote { get; set; }

    /// <summary>A name that comes with the event (image of a process, host looked up, algorithm), null when none does.</summary>
    public string? Text { get; set; }

    /// <summary>Where the event comes from, e.g. <c>Microsoft-Windows-TCPIP/1332 v3</c> or <c>tcp:tcp_probe</c>.</summary>
    public string Source { get; private set; } = string.Empty;

    /// <summary>Starts a new event: everything else becomes absent.</summary>
    /// <param name="kind">What happened.</param>
    /// <param name="time">When.</param>
    /// <param name="source">Where it comes from.</param>
    public void Reset(StackEventKind kind, TraceTime time, string source)
    {
        Kind = kind;
        Time = time;
        Source = source;
        Tcb = 0;
        ProcessId = null;
        Local = null;
        Remote = null;
        Text = null;
        _present = default;
    }

    /// <summary>Moves the event in time, where the clock of its trace was set.</summary>
    /// <param name="nanoseconds">By how much.</param>
    public void Move(long nanoseconds) => Time += nanoseconds;

    /// <summary>Gives a field its value.</summary>
    /// <param name="field">The field.</param>
    /// <param name="value">Its value in the field's unit.</param>
    public void Set(StackField field, long value)
    {
        _values[(int)field] = value;
        _present[(int)field >> 6] |= 1UL << (int)field;
    }

    /// <summary>Whether the event has a field.</summary>
    /// <param name="field">The field.</param>
    /// <returns>True when it has a value.</returns>
    public bool Has(StackField field) => (_present[(int)field >> 6] & (1UL << (int)field)) != 0;

    /// <summary>Reads a field.</summary>
    /// <param name="field">The field.</param>
    /// <param name="value">Its value in the field's unit, or 0.</param>
    /// <returns>False when the event lacks it.</returns>
    public bool TryGet(StackField field, out long value)
    {
        bool present = Has(field);
        value = present ? _values[(int)field] : 0;
        return present;
    }

    /// <summary>The first field present at or after <paramref name="start"/>, to walk over all of them.</summary>
    /// <param name="start">Where to begin; 0 for the first.</param>
    /// <param name="field">The field found.</param>
    /// <param name="value">Its value.</param>
    /// <returns>False when there is none left.</returns>
    public bool TryGetNext(int start, out StackField field, out long value)
    {
        for (int word = start >> 6; word < WordCount; word++)
        {
            ulong rest = _present[word] & (word == start >> 6 ? ulong.MaxValue << start : ulong.MaxValue);
            if (rest != 0)
            {
                int index = (word << 6) + BitOperations.TrailingZeroCount(rest);
                field = (StackField)index;
                value = _values[index];
                return true;
            }
        }

        field = default;
        value = 0;
        return false;
    }

    [InlineArray(WordCount)]
    struct PresenceWords
    {
        ulong _first;
    }

    [InlineArray(FieldCount)]
    struct Values
    {
        long _first;
    }
}
