using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Locate.Intake;

/// <summary>
/// Reads a capture once into its vantage points, 32 bytes a packet. Interfaces of one capture are points of their own with one clock: both sides of a
/// router, a bridge and its ports.
/// </summary>
/// <param name="file">Number of the capture.</param>
/// <param name="name">What it is called.</param>
sealed class CaptureIntake(int file, string name)
{
    // A clock that goes back by more was set back; recorders leave packets of several queues out of order by less.
    const long MinSetBackNanos = 1_000_000;

    // Enough to tell packets apart, and little enough that most captures have it.
    const int HashedBytes = 64;
    const int MinHashedBytes = 16;

    const int LookEvery = 4096;

    readonly Dictionary<(int Interface, uint Cooked), PointIntake> _points = [];
    ParsedPacket _packet;
    long _frame; // as Wireshark numbers them: events stored in the file count too

    /// <summary>Whether there were more records than were read.</summary>
    public bool IsCut { get; private set; }

    /// <summary>Reads all of it.</summary>
    /// <param name="reader">The capture, at its beginning.</param>
    /// <param name="most">How many records are read at most.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>The points that saw TCP.</returns>
    /// <exception cref="TraceFormatException">The capture cannot be read at all.</exception>
    /// <exception cref="OperationCanceledException">The work was ended.</exception>
    public List<VantagePoint> Read(TraceReader reader, long most, CancellationToken cancellation)
    {
        var record = default(TraceRecord);
        for (long count = 1; reader.TryRead(ref record); count++)
        {
            if (count > most)
            {
                IsCut = true;
                break;
            }

            if (count % LookEvery == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            _frame += record.Kind is TraceRecordKind.Packet or TraceRecordKind.StackEvent ? 1 : 0;

            // What a component or layer saw again, or its own machine dropped, did not pass this point.
            if (record is { Kind: TraceRecordKind.Packet, IsRepeat: false, IsDropped: false })
            {
                OnPacket(record);
            }
        }

        return Finish(reader);
    }

    void OnPacket(in TraceRecord record)
    {
        uint cooked = record.LinkType == LinkType.LinuxSll2 ? LinkHeader.CookedInterface(record.Data) : 0;
        if (!_points.TryGetValue((record.InterfaceIndex, cooked), out PointIntake? intake))
        {
            intake = new PointIntake(new VantagePoint(_points.Count, file, name));
            _points.Add((record.InterfaceIndex, cooked), intake);
        }

        long time = intake.TimeOf(record.Time.Nanoseconds);
        if (PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref _packet)
            && _packet.IsTcp && (_packet.Traits & PacketTraits.IsFragment) == 0)
        {
            if (record.IsLengthReconstructed)
            {
                _packet.PayloadLength = Math.Max(record.OriginalLength - _packet.PayloadOffset, _packet.PayloadLength);
            }

            FlowKey key = FlowKey.Of(_packet, out bool isFromHigh);
            SeenConnection connection = intake.Find(key, _packet, isFromHigh, _frame);
            connection.Note(_packet, isFromHigh);
            connection.Packets.Add(Take(_packet, record.Data, isFromHigh, time));
            intake.Point.Packets++;
        }
    }

    List<VantagePoint> Finish(TraceReader reader)
    {
        var points = new List<VantagePoint>();
        foreach (((int number, uint cooked), PointIntake intake) in _points)
        {
            TraceInterface? capture = number < reader.Interfaces.Count ? reader.Interfaces[number] : null;
            intake.Point.Lost = (reader.Format == TraceFormat.Etl ? 0 : capture?.Dropped ?? 0)
                + (reader.System.LostEvents ?? 0) + (reader.System.LostBuffers ?? 0);
            if (_points.Count > 1)
            {
                string label = cooked != 0 ? cooked.ToString(CultureInfo.InvariantCulture) : capture?.Name ?? number.ToString(CultureInfo.InvariantCulture);
                intake.Point.Name = $"{name}:{label}";
            }

            if (intake.Point.Packets > 0)
            {
                points.Add(intake.Point);
            }
        }

        return points;
    }

    static SeenPacket Take(in ParsedPacket packet, ReadOnlySpan<byte> frame, bool isFromHigh, long time)
    {
        PacketMarks marks = MarksOf(packet) | (isFromHigh ? PacketMarks.FromHigh : PacketMarks.None);
        uint hash = 0;
        if (packet.PayloadLength == 0 && packet.Options.SackBlocks > 0)
        {
            hash = HashSack(packet, frame);
            marks |= PacketMarks.Sack;
        }
        else if (packet.PayloadLength > 0)
        {
            ReadOnlySpan<byte> payload = packet.CapturedPayload(frame);
            int hashed = Math.Min(packet.PayloadLength, HashedBytes);
            if (payload.Length >= hashed && hashed >= MinHashedBytes)
            {
                hash = (uint)(BitMixer.Mix(payload[..hashed], (ulong)hashed) >> 32);
                marks |= PacketMarks.PayloadHash;
            }
        }

        var seen = new SeenPacket
        {
            Time = time,
            Seq = packet.Sequence.Value,
            Ack = (packet.Flags & TcpFlags.Ack) != 0 ? packet.Acknowledgment.Value : 0,
            TsVal = packet.Options.TsVal,
            Hash = hash,
            Window = packet.Window,
            IpId = (ushort)packet.IpId,
        };
        seen.Set(packet.PayloadLength, marks);
        return seen;
    }

    static PacketMarks MarksOf(in ParsedPacket packet) =>
        ((packet.Flags & TcpFlags.Syn) != 0 ? PacketMarks.Syn : 0)
        | ((packet.Flags & TcpFlags.Fin) != 0 ? PacketMarks.Fin : 0)
        | ((packet.Flags & TcpFlags.Rst) != 0 ? PacketMarks.Rst : 0)
        | ((packet.Flags & TcpFlags.Ack) != 0 ? PacketMarks.Ack : 0)
        | (packet.Options.Has(TcpOptionKinds.Timestamps) ? PacketMarks.Timestamps : 0)
        | (packet.Options.Has(TcpOptionKinds.Incomplete) && packet.Options.SackBlocks == 0 ? PacketMarks.OptionsCut : 0)
        | ((packet.TrafficClass & 3) == 3 ? PacketMarks.CongestionExperienced : 0);

    // The first block is the newest (RFC 2018 §4), and all that a short snap length keeps: captures need not keep the same.
    static uint HashSack(in ParsedPacket packet, ReadOnlySpan<byte> frame)
    {
        SackBlock block = SackBlock.Read(frame, packet.Options, 0);
        return (uint)BitMixer.Mix(((ulong)(uint)(block.Left - packet.Acknowledgment) << 32) ^ (uint)(block.Right - packet.Acknowledgment));
    }

    /// <summary>A point that is being read: its clock counted on where it was set back, its connections by their ends.</summary>
    sealed class PointIntake(VantagePoint point)
    {
        readonly Dictionary<FlowKey, SeenConnection> _latest = [];
        long _correction;

        public VantagePoint Point { get; } = point;

        public long TimeOf(long recorded)
        {
            long time = unchecked(recorded + _correction);
            if (Point.End != long.MinValue && time < Point.End - MinSetBackNanos)
            {
                _correction = unchecked(Point.End - recorded);
                time = Point.End;
            }

            Point.Start = Math.Min(Point.Start, time);
            Point.End = Math.Max(Point.End, time);
            return time;
        }

        public SeenConnection Find(in FlowKey key, in ParsedPacket packet, bool isFromHigh, long frame)
        {
            if (!_latest.TryGetValue(key, out SeenConnection? connection) || connection.IsReopenedBy(packet, isFromHigh))
            {
                connection = new SeenConnection(key, frame);
                _latest[key] = connection;
                Point.Connections.Add(connection);
            }

            return connection;
        }
    }
}
