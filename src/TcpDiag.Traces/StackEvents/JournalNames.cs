using System;
using System.Text;

namespace TcpDiag.Traces.StackEvents;

/// <summary>The field names of a stack event as a journal entry, as UTF-8 (docs/formats/stack-events.md, "Journal form").</summary>
static class JournalNames
{
    /// <summary>Names of the numeric fields, in the order of <see cref="StackField"/>.</summary>
    static readonly byte[][] Fields = Array.ConvertAll(Enum.GetValues<StackField>(), field => Encoding.ASCII.GetBytes("TCPDIAG_" + StackEventNames.Of(field)));

    static readonly byte[][] Kinds = Array.ConvertAll(Enum.GetValues<StackEventKind>(), kind => Encoding.ASCII.GetBytes(StackEventNames.Of(kind)));

    // Positions in Fields in the order of the names, for the search by halves.
    static readonly int[] Sorted = SortedPositions(Fields);

    static readonly int[] SortedKinds = SortedPositions(Kinds);

    public static ReadOnlySpan<byte> RealTime => "__REALTIME_TIMESTAMP"u8;

    public static ReadOnlySpan<byte> Message => "MESSAGE"u8;

    public static ReadOnlySpan<byte> Identifier => "SYSLOG_IDENTIFIER"u8;

    public static ReadOnlySpan<byte> Kind => "TCPDIAG_EVENT"u8;

    public static ReadOnlySpan<byte> Time => "TCPDIAG_TIME_NS"u8;

    public static ReadOnlySpan<byte> Source => "TCPDIAG_SOURCE"u8;

    public static ReadOnlySpan<byte> Tcb => "TCPDIAG_TCB"u8;

    public static ReadOnlySpan<byte> ProcessId => "TCPDIAG_PID"u8;

    public static ReadOnlySpan<byte> Local => "TCPDIAG_LOCAL"u8;

    public static ReadOnlySpan<byte> Remote => "TCPDIAG_REMOTE"u8;

    public static ReadOnlySpan<byte> Text => "TCPDIAG_TEXT"u8;

    /// <summary>The name of a numeric field.</summary>
    public static ReadOnlySpan<byte> Of(StackField field) => Fields[(int)field];

    public static ReadOnlySpan<byte> Of(StackEventKind kind) => Kinds[(int)kind];

    /// <summary>Finds a numeric field by its name.</summary>
    public static bool TryFind(ReadOnlySpan<byte> name, out StackField field)
    {
        int index = Find(Fields, Sorted, name);
        field = (StackField)Math.Max(index, 0);
        return index >= 0;
    }

    public static bool TryFind(ReadOnlySpan<byte> name, out StackEventKind kind)
    {
        int index = Find(Kinds, SortedKinds, name);
        kind = (StackEventKind)Math.Max(index, 0);
        return index >= 0;
    }

    static int[] SortedPositions(byte[][] names)
    {
        int[] positions = new int[names.Length];
        for (int i = 0; i < positions.Length; i++)
        {
            positions[i] = i;
        }

        Array.Sort(positions, (left, right) => names[left].AsSpan().SequenceCompareTo(names[right]));
        return positions;
    }

    static int Find(byte[][] names, int[] sorted, ReadOnlySpan<byte> name)
    {
        int low = 0;
        int high = sorted.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            int order = names[sorted[middle]].AsSpan().SequenceCompareTo(name);
            if (order == 0)
            {
                return sorted[middle];
            }

            if (order < 0)
            {
                low = middle + 1;
            }
            else
            {
                high = middle - 1;
            }
        }

        return -1;
    }
}
