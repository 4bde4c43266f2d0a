using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>How a connection closes.</summary>
struct ClosingState
{
    /// <summary>How it ended, so far.</summary>
    public ConnectionEnd End { get; private set; }

    /// <summary>Whether it waits to be put away.</summary>
    public bool IsQueued;

    /// <summary>Takes in the FIN of an end.</summary>
    /// <param name="isOtherSeen">Whether the other end's was seen.</param>
    public void OnFin(bool isOtherSeen) => End = End == ConnectionEnd.Open && isOtherSeen ? ConnectionEnd.Fin : End;

    /// <summary>Takes in a reset that the other end accepts.</summary>
    public void OnReset() => End = ConnectionEnd.Rst;

    /// <summary>What was sent after a reset shows that neither end took it.</summary>
    public void Reopen() => End = ConnectionEnd.Open;

    /// <summary>Takes in a SYN that was sent again: what was refused is tried again.</summary>
    public void OnSynResent() => End = End == ConnectionEnd.Rst ? ConnectionEnd.Open : End;
}

/// <summary>Takes in segments that close or reset a connection.</summary>
static class Closing
{
    /// <summary>Takes in a FIN.</summary>
    public static void OnFin(ref ConnectionState connection, int from)
    {
        connection.Ends[from].IsFinSeen = true;
        connection.Closing.OnFin(connection.Ends[from ^ 1].IsFinSeen);
    }

    /// <summary>Takes in a reset.</summary>
    /// <param name="connection">Its connection.</param>
    /// <param name="from">The end that sent it.</param>
    /// <param name="packet">The segment.</param>
    /// <returns>Whether its numbers fit the connection.</returns>
    public static SentKind OnReset(ref ConnectionState connection, int from, in ParsedPacket packet)
    {
        connection.Ends[from].Send.Counts.PayloadBytes += packet.PayloadLength;
        if (!IsAccepted(connection, from, packet))
        {
            return SentKind.Foreign;
        }

        if (connection.Closing.End == ConnectionEnd.Open)
        {
            connection.Closing.OnReset();
            foreach (ref EndState end in connection.Ends)
            {
                end.ResetEnd = end.Send.Space.SndMax;
            }
        }

        return SentKind.None;
    }

    /// <summary>Takes in an acknowledgment of new data after a reset.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="acked">The end acknowledged.</param>
    /// <param name="acknowledgment">The acknowledgment.</param>
    public static void OnAdvance(ref ConnectionState connection, int acked, SequenceNumber acknowledgment)
    {
        if (acknowledgment > connection.Ends[acked].ResetEnd)
        {
            connection.Closing.Reopen();
        }
    }

    // In the window (RFC 9293 §3.10.7.4), or, while the connection opens, for the SYN (§3.10.7.3). What its receiver had granted when it was sent may be
    // long gone at the capture point, so that as much below SND.UNA fits as well.
    static bool IsAccepted(in ConnectionState connection, int from, in ParsedPacket packet)
    {
        ref readonly EndState sender = ref connection.Ends[from];
        ref readonly EndState peer = ref connection.Ends[from ^ 1];
        bool isForSyn = !connection.Handshake.IsEstablished && (packet.Flags & TcpFlags.Ack) != 0
            && peer.Syn.IsSeen && packet.Acknowledgment == peer.Syn.Isn + 1;
        if (isForSyn || !sender.Send.Space.IsKnown)
        {
            return true;
        }

        long window = Math.Max(peer.Receive.Window.Max, peer.Receive.Window.MaxBytes);
        return packet.Sequence - sender.Send.Space.SndMax <= window && sender.Send.Space.SndUna - packet.Sequence <= window;
    }
}
