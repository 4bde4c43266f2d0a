using System;
using System.IO;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Wire;
using static TcpDiag.Testing.FrameBuilder;

namespace TcpDiag.Store.Tests;

/// <summary>
/// A made-up .etl of Windows 11 with any number of connections that events tell of: clients and servers, some that end, some whose TCB or ports another one
/// takes over without a word, some that wait for a name, some with packets as well, some that were open before.
/// </summary>
/// <param name="output">Where it goes; must seek.</param>
/// <param name="openAtOnce">How many there are at a time; some go on to the end.</param>
sealed class MadeEvents(Stream output, int openAtOnce = 4_000)
{
    const int Build = 22621;
    const int Kinds = 8;
    const int Steps = 12;
    const int Ports = 30_000;
    const int NameEvery = 40;
    const long Spacing = 400_000; // ns from the beginning of one to that of the next
    const int ConnectRequested = 1002, Accepted = 1017, Connected = 1033, Closed = 1038, SendPosted = 1159, CumulativeAck = 1330, SegmentSent = 1332;
    const int Summary = 1477, SegmentReceived = 1156, LookupStarted = 1000, LookupCompleted = 1001;

    static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    static readonly Guid NameResolution = new("55404e71-4db9-4deb-a5f5-8f86e46dde56");
    static readonly TraceTime Start = new(1_700_000_000_000_000_000);
    static readonly IpAddress Here = IpAddress.FromIpv4(0x0A000002);

    readonly int _turn = openAtOnce / Steps;
    readonly int _tcbs = (5 * openAtOnce) + 1; // those of connections that have not ended are taken over in the end
    readonly WindowsRecordBuilder _records = new(Build, Start);
    TraceTime _now;

    /// <summary>Writes them all.</summary>
    /// <param name="connections">How many.</param>
    public void Write(int connections)
    {
        using var writer = new EtlWriter(output, _records.Header("made"));
        _records.Values["ProcessId"] = _records.Values["Pid"] = WindowsRecordBuilder.ProcessId;
        _records.Values["SndWnd"] = 65_536;
        _records.Values["NumPkt"] = 1;
        for (int slot = 0; slot < connections + (Steps * _turn); slot++)
        {
            for (int step = 0; step < Steps; step++)
            {
                int connection = slot - (step * _turn);
                if (connection >= 0 && connection < connections)
                {
                    _now = Start + ((slot * Spacing) + (step * 20_000));
                    Step(writer, connection, step);
                }
            }
        }

        writer.Complete(_now.ToFileTime());
    }

    void Step(EtlWriter writer, int i, int step)
    {
        _records.Values["Tcb"] = 0xA000_0000L + (i % _tcbs * 0x100);
        Endpoint local = Local(i);
        Endpoint remote = Remote(i);
        int kind = i % Kinds;
        switch (step)
        {
            case 0 when i % NameEvery == 0:
                _records.Texts["NodeName"] = FormattableString.Invariant($"host{i % 7}.example");
                writer.Write(_records.Event(NameResolution, LookupStarted, _now, default, default), 0);
                break;
            case 1 when i % NameEvery == 0:
                _records.Values["Status"] = 0;
                writer.Write(_records.Event(NameResolution, LookupCompleted, _now, default, default), 0);
                break;
            case 1 when kind is 0 or 1 or 2 or 5:
                Write(writer, ConnectRequested, new(Here, 0), remote);
                break;
            case 2 when kind == 5:
                Frame(writer, i, isOut: true, frame => frame.Seq(99).Flags(Syn).Mss(1460));
                Frame(writer, i, isOut: false, frame => frame.Seq(499).AckNumber(100).Flags(Syn | Ack).Mss(1460));
                Write(writer, Connected, local, remote);
                break;
            case 2 when kind is not (4 or 7):
                _records.Values["State"] = 4;
                Write(writer, kind == 3 ? Accepted : Connected, local, remote);
                break;
            case 3 or 5 when kind is not (3 or 6):
                Send(writer, i, bytes: 1000 + (i % 400), offset: step == 3 ? 0 : 1000 + (i % 400));
                break;
            case 3 when kind == 3:
                _records.Values["NumBytes"] = 700;
                _records.Values["SeqNo"] = 5_000;
                Write(writer, SegmentReceived, local, remote);
                break;
            case 4 or 6 when kind is not (3 or 6):
                Acknowledge(writer, i, bytes: 1000 + (i % 400), offset: (step == 4 ? 1 : 2) * (1000 + (i % 400)));
                break;
            case 8 when kind is 0 or 3 or 5 or 6:
                Write(writer, Closed, local, remote);
                break;
            case 10 when kind is 0 or 1:
                _records.Values["DataBytesOut"] = 2 * (1000 + (i % 400));
                _records.Values["DataBytesIn"] = 0;
                Write(writer, Summary, local, remote);
                break;
        }
    }

    void Send(EtlWriter writer, int i, int bytes, int offset)
    {
        _records.Values["NumBytes"] = bytes;
        _records.Values["SndNxt"] = 100 + offset;
        Write(writer, SendPosted, Local(i), Remote(i));
        _records.Values["SeqNo"] = 100 + offset;
        _records.Values["BytesSent"] = bytes;
        _records.Values["Cwnd"] = 14_600;
        _records.Values["SRtt"] = 20_000 + (i % 1000);
        Write(writer, SegmentSent, Local(i), Remote(i));
        if (i % Kinds == 5)
        {
            Frame(writer, i, isOut: true, frame => frame.Seq((uint)(100 + offset)).AckNumber(500).Flags(Psh | Ack).PayloadLength(bytes));
        }
    }

    void Acknowledge(EtlWriter writer, int i, int bytes, int offset)
    {
        if (i % Kinds == 5)
        {
            Frame(writer, i, isOut: false, frame => frame.Seq(500).AckNumber((uint)(100 + offset)));
        }

        _records.Values["SeqNo"] = 100 + offset;
        _records.Values["BytesAcked"] = bytes;
        Write(writer, CumulativeAck, Local(i), Remote(i));
    }

    void Write(EtlWriter writer, int id, Endpoint local, Endpoint remote) => writer.Write(_records.Event(Tcpip, id, _now, local, remote), processor: 0);

    void Frame(EtlWriter writer, int i, bool isOut, Func<FrameBuilder, FrameBuilder> fill)
    {
        (Endpoint from, Endpoint to) = isOut ? (Local(i), Remote(i)) : (Remote(i), Local(i));
        FrameBuilder frame = new FrameBuilder().Ip(from.Address.ToString(), to.Address.ToString()).Tcp(from.Port, to.Port);
        writer.Write(_records.Packet(fill(frame).Build(), isOut, _now), processor: 0);
    }

    static Endpoint Local(int i) => new(Here, i % Kinds == 3 ? (ushort)443 : (ushort)(20_000 + (i % Ports)));

    // Every third of them is with the same host.
    static Endpoint Remote(int i) => new(
        IpAddress.FromIpv4(i % 3 == 0 ? 0x0A09_0909 : 0x0A01_0000 + (uint)(i % 60_000)),
        i % Kinds == 3 ? (ushort)(2_000 + (i % Ports)) : (ushort)443);
}
