using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;
using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Traces.StackEvents;

/// <summary>
/// How to decode one layout of one event: the offsets are found once, by <see cref="DecodingPlanner"/>; running a plan
/// allocates nothing but texts. A payload that ends early leaves the remaining fields absent.
/// </summary>
sealed class DecodingPlan
{
    /// <summary>Maximum of lengths a plan keeps at a time; layouts with more end there.</summary>
    public const int MaxLengths = 8;

    readonly PlanStep[] _steps;
    readonly StackEventMapping _mapping;
    readonly string _source;

    public DecodingPlan(StackEventMapping mapping, string source, PlanStep[] steps)
    {
        _mapping = mapping;
        _source = source;
        _steps = steps;
    }

    /// <summary>Stands for "this event is not in the vocabulary".</summary>
    public static DecodingPlan Nothing { get; } =
        new(new StackEventMapping(Guid.Empty, 0, StackEventKind.None), string.Empty, []);

    /// <summary>Decodes a payload.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="is64Bit">Whether pointers take 8 bytes.</param>
    /// <param name="time">When it was logged.</param>
    /// <param name="headerProcess">The process that logged it.</param>
    /// <param name="target">Overwritten when the result is true.</param>
    /// <returns>False when the event holds nothing the vocabulary has.</returns>
    public bool TryRun(ReadOnlySpan<byte> payload, bool is64Bit, TraceTime time, uint headerProcess, StackEvent target)
    {
        StackEventKind kind = KindOf(payload);
        if (kind == StackEventKind.None)
        {
            return false;
        }

        target.Reset(kind, time, _source);
        if (_mapping.IsProcessOfHeader && headerProcess != uint.MaxValue)
        {
            target.ProcessId = headerProcess;
        }

        for (int i = 0; i < _mapping.Constants.Count; i++)
        {
            (StackField field, long value) = _mapping.Constants[i];
            target.Set(field, value);
        }

        Run(payload, is64Bit, target);
        return true;
    }

    StackEventKind KindOf(ReadOnlySpan<byte> payload)
    {
        if (!_mapping.HasExit)
        {
            return _mapping.Kind;
        }

        return payload.Length < sizeof(uint) ? StackEventKind.None : BinaryPrimitives.ReadUInt32LittleEndian(payload) switch
        {
            0 => _mapping.Kind,
            1 => _mapping.KindAtExit,
            _ => StackEventKind.None,
        };
    }

    void Run(ReadOnlySpan<byte> rest, bool is64Bit, StackEvent target)
    {
        var lengths = default(Lengths);
        foreach (ref readonly PlanStep step in _steps.AsSpan())
        {
            if (step.Offset + step.Size > rest.Length)
            {
                return;
            }

            ReadOnlySpan<byte> field = rest[step.Offset..];
            switch (step.Action)
            {
                case PlanAction.Unsigned:
                    target.Set((StackField)step.Argument, unchecked((long)ReadUnsigned(field, step.Size) * step.Factor));
                    break;
                case PlanAction.Signed:
                    target.Set((StackField)step.Argument, unchecked(ReadSigned(field, step.Size) * step.Factor));
                    break;
                case PlanAction.Tcb:
                    target.Tcb = ReadUnsigned(field, step.Size);
                    break;
                case PlanAction.ProcessId:
                    target.ProcessId = (uint)ReadUnsigned(field, step.Size);
                    break;
                case PlanAction.KeepLength:
                    lengths[step.Argument] = (int)Math.Min(ReadUnsigned(field, step.Size), int.MaxValue);
                    break;
                case PlanAction.KernelEndpoints:
                    ReadKernelEndpoints(field[..step.Size], target);
                    break;
                default:
                    if (!TryRunVariable(step, field, lengths, is64Bit, target, out rest))
                    {
                        return;
                    }

                    break;
            }
        }
    }

    static bool TryRunVariable(PlanStep step, ReadOnlySpan<byte> field, scoped in Lengths lengths, bool is64Bit, StackEvent target, out ReadOnlySpan<byte> rest)
    {
        rest = field;
        bool isRead = PayloadElements.TryTake(InTypeOf(step.Action), LengthOf(step, lengths), is64Bit, ref rest, out ReadOnlySpan<byte> data);
        switch (step.Action)
        {
            case PlanAction.LocalSocketAddress:
                target.Local = SocketAddress.TryRead(data, out Endpoint local) ? local : target.Local;
                break;
            case PlanAction.RemoteSocketAddress:
                target.Remote = SocketAddress.TryRead(data, out Endpoint remote) ? remote : target.Remote;
                break;
            case PlanAction.TextUtf16:
                target.Text = Encoding.Unicode.GetString(data);
                break;
            case PlanAction.TextAnsi:
                target.Text = Encoding.UTF8.GetString(data);
                break;
        }

        return isRead;
    }

    static InType InTypeOf(PlanAction action) => action switch
    {
        PlanAction.SkipUtf16 or PlanAction.TextUtf16 => InType.UnicodeString,
        PlanAction.SkipAnsi or PlanAction.TextAnsi => InType.AnsiString,
        PlanAction.SkipWbemSid => InType.WbemSid,
        _ => InType.Binary,
    };

    static int LengthOf(PlanStep step, in Lengths lengths) => step.Action
        is PlanAction.LocalSocketAddress or PlanAction.RemoteSocketAddress or PlanAction.SkipKeptLength
        ? lengths[step.Argument]
        : PayloadElements.NoLength;

    // daddr (the peer in both directions), saddr, dport, sport: IPv4 in 12 bytes, IPv6 in 36; all in network order.
    static void ReadKernelEndpoints(ReadOnlySpan<byte> field, StackEvent target)
    {
        int length = (field.Length - (2 * sizeof(ushort))) / 2;
        ReadOnlySpan<byte> ports = field[(2 * length)..];
        target.Remote = new Endpoint(IpAddress.Read(field[..length]), BinaryPrimitives.ReadUInt16BigEndian(ports));
        target.Local = new Endpoint(IpAddress.Read(field.Slice(length, length)), BinaryPrimitives.ReadUInt16BigEndian(ports[2..]));
    }

    static ulong ReadUnsigned(ReadOnlySpan<byte> field, int size) => size switch
    {
        1 => field[0],
        2 => BinaryPrimitives.ReadUInt16LittleEndian(field),
        4 => BinaryPrimitives.ReadUInt32LittleEndian(field),
        _ => BinaryPrimitives.ReadUInt64LittleEndian(field),
    };

    static long ReadSigned(ReadOnlySpan<byte> field, int size) => size switch
    {
        1 => (sbyte)field[0],
        2 => BinaryPrimitives.ReadInt16LittleEndian(field),
        4 => BinaryPrimitives.ReadInt32LittleEndian(field),
        _ => BinaryPrimitives.ReadInt64LittleEndian(field),
    };

    [InlineArray(MaxLengths)]
    struct Lengths
    {
        int _first;
    }
}

/// <summary>One thing to do with a payload.</summary>
/// <param name="Action">What.</param>
/// <param name="Offset">Where, counted from the end of the last part of variable length.</param>
/// <param name="Size">Bytes of a fixed-size field.</param>
/// <param name="Argument">A <see cref="StackField"/>, or the slot that a length is kept in.</param>
/// <param name="Factor">What a number is multiplied with.</param>
readonly record struct PlanStep(PlanAction Action, int Offset, int Size = 0, int Argument = 0, int Factor = 1);

/// <summary>What a step of a <see cref="DecodingPlan"/> does.</summary>
enum PlanAction
{
    /// <summary>Sets a field of the event, zero-extended.</summary>
    Unsigned,

    /// <summary>Sets a field of the event, sign-extended.</summary>
    Signed,

    /// <summary>Sets the connection's handle.</summary>
    Tcb,

    /// <summary>Sets the process.</summary>
    ProcessId,

    /// <summary>Keeps a length for a part after it.</summary>
    KeepLength,

    /// <summary>Reads a SOCKADDR of kept length as this machine's end.</summary>
    LocalSocketAddress,

    /// <summary>Reads a SOCKADDR of kept length as the peer's end.</summary>
    RemoteSocketAddress,

    /// <summary>Steps over a binary of kept length.</summary>
    SkipKeptLength,

    /// <summary>Steps over text in 16-bit units up to its NUL.</summary>
    SkipUtf16,

    /// <summary>Steps over text in 8-bit units up to its NUL.</summary>
    SkipAnsi,

    /// <summary>Steps over a WBEM security identifier.</summary>
    SkipWbemSid,

    /// <summary>Reads text in 16-bit units as the event's text.</summary>
    TextUtf16,

    /// <summary>Reads text in 8-bit units as the event's text.</summary>
    TextAnsi,

    /// <summary>Reads the remote address of a kernel event, the local one after it, and both ports after that.</summary>
    KernelEndpoints,
}
