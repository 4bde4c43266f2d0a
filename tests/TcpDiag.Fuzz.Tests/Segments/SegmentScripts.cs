using System.Collections.Generic;
using System.Linq;
using static TcpDiag.Testing.FrameBuilder;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>Scripts of connections as they should be, to be damaged: opening, loss, reordering, probes, zero windows, resets, several at once.</summary>
static class SegmentScripts
{
    const ScriptedOptions SynOptions = ScriptedOptions.Mss | ScriptedOptions.WindowScale | ScriptedOptions.SackPermitted | ScriptedOptions.Timestamps;
    const short RoundTrip = 2_000; // 20 ms
    const short Gap = 10; // 100 µs

    /// <summary>The scripts.</summary>
    public static IReadOnlyList<byte[]> All { get; } =
    [
        Bytes([.. Open(0), .. Bulk(0, 12), .. Close(0)]),
        Bytes([.. Open(0), .. Loss(0), .. Bulk(0, 6), .. Close(0)]),
        Bytes([.. Open(0), .. Reordering(0), .. Loss(0), .. Timeout(0), .. Close(0)]),
        Bytes([.. Open(0), .. Bulk(0, 3), .. ZeroWindow(0), .. KeepAlive(0), Client(0, Rst | Ack)]),
        Bytes([.. Bulk(0, 5), .. Loss(0), .. Timeout(0)]),
        Bytes([.. Open(0), .. Open(1), .. Bulk(0, 3), .. Loss(1), .. Open(2), .. Reordering(2), .. Close(0), .. Open(0), .. Bulk(0, 2), .. Bulk(1, 2),
            .. Close(2)]),
        Bytes([.. TwoInterfaces([.. Open(0), .. Bulk(0, 4), .. Loss(0)])]),
    ];

    static byte[] Bytes(ScriptedSegment[] script) => [.. script.SelectMany(segment => segment.Write())];

    static ScriptedSegment Client(int connection, byte flags = Ack, ushort payload = 0, short sequence = 0, short delay = Gap) =>
        new()
        {
            Connection = connection,
            Flags = flags,
            Payload = payload,
            Sequence = sequence,
            Delay = delay,
            Window = 200,
            Options = ScriptedOptions.Timestamps
        };

    static ScriptedSegment Server(
        int connection, byte flags = Ack, short acknowledgment = 0, ScriptedOptions options = ScriptedOptions.None, short delay = Gap) =>
        Client(connection, flags, delay: delay) with { IsFromServer = true, Acknowledgment = acknowledgment, Options = ScriptedOptions.Timestamps | options };

    static ScriptedSegment[] Open(int connection) =>
    [
        Client(connection, Syn) with { Options = SynOptions, Window = 91 },
        Server(connection, Syn | Ack, delay: RoundTrip) with { Options = SynOptions, Window = 91 },
        Client(connection),
    ];

    // Each pair of segments is acknowledged a round trip later.
    static ScriptedSegment[] Bulk(int connection, int pairs) =>
    [
        .. Enumerable.Range(0, pairs).SelectMany(_ => (ScriptedSegment[])
        [
            Client(connection, payload: 1_000),
            Client(connection, Ack | Psh, payload: 1_000),
            Server(connection, delay: RoundTrip),
        ]),
    ];

    // Five segments, the first is lost: SACKs, the resending, the acknowledgment.
    static ScriptedSegment[] Loss(int connection) =>
    [
        .. Enumerable.Repeat(Client(connection, payload: 1_000), 5),
        Server(connection, acknowledgment: -5_000, options: ScriptedOptions.SackBlock, delay: RoundTrip),
        Server(connection, acknowledgment: -5_000, options: ScriptedOptions.TwoSackBlocks),
        Server(connection, acknowledgment: -5_000, options: ScriptedOptions.ThreeSackBlocks),
        Client(connection, payload: 1_000, sequence: -5_000),
        Server(connection, delay: RoundTrip),
    ];

    // As before, but the first was only late: the resending is answered by a DSACK.
    static ScriptedSegment[] Reordering(int connection) =>
    [
        .. Loss(connection)[..^1],
        Server(connection),
        Server(connection, options: ScriptedOptions.Dsack, delay: RoundTrip),
    ];

    // A tail is probed, then resent by timer twice.
    static ScriptedSegment[] Timeout(int connection) =>
    [
        .. Enumerable.Repeat(Client(connection, payload: 1_000), 3),
        Client(connection, payload: 1_000, sequence: -1_000, delay: 2 * RoundTrip),
        Client(connection, payload: 1_000, sequence: -3_000, delay: 20_000),
        Client(connection, payload: 1_000, sequence: -3_000, delay: 32_000),
        Server(connection, delay: RoundTrip),
    ];

    static ScriptedSegment[] ZeroWindow(int connection) =>
    [
        Client(connection, payload: 1_000),
        Server(connection, delay: RoundTrip) with { Window = 0 },
        Client(connection, payload: 1, delay: 20_000),
        Server(connection, acknowledgment: -1, delay: RoundTrip) with { Window = 0 },
        Server(connection, delay: 30_000),
    ];

    static ScriptedSegment[] KeepAlive(int connection) =>
        [Client(connection, sequence: -1, delay: short.MaxValue), Server(connection, delay: RoundTrip)];

    static ScriptedSegment[] Close(int connection) =>
        [Client(connection, Fin | Ack), Server(connection, Fin | Ack, delay: RoundTrip), Client(connection)];

    // The same packets a little later at a second interface.
    static IEnumerable<ScriptedSegment> TwoInterfaces(ScriptedSegment[] script) => script.SelectMany(segment => (ScriptedSegment[])
        [segment, segment with { IsAtSecondInterface = true, Delay = 1, Sequence = (short)(segment.Sequence - segment.Length) }]);
}
