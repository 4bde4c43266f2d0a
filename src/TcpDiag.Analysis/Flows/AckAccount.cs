using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>Counts what acknowledgments tell beside their number: duplicates, windows, data that was not captured.</summary>
static class AckAccount
{
    /// <summary>An acknowledgment of what was not captured, or of the byte a zero-window probe carried.</summary>
    /// <param name="acked">The direction acknowledged.</param>
    /// <param name="step">The acknowledgment; gets how much that is.</param>
    public static void OnUnseen(ref DirectionState acked, ref LedgerStep step)
    {
        int bytes = step.Acknowledgment - acked.SndMax;
        bool isProbeByte = bytes == 1 && acked.Is(DirectionMarks.ProbeByteOut);
        acked.UniqueBytes += isProbeByte ? 1 : 0;
        acked.UnseenBytes += isProbeByte ? 0 : bytes;
        step.Unseen = isProbeByte ? 0 : bytes;
        acked.LastAckTime = isProbeByte ? step.Time : acked.LastAckTime;
        acked.DataEnd = isProbeByte ? step.Acknowledgment : acked.DataEnd;
        acked.Marks &= ~DirectionMarks.ProbeByteOut;
        acked.SndMax = step.Acknowledgment;
    }

    /// <summary>An acknowledgment that repeats SND.UNA. A duplicate by RFC 5681 §2, but a changed window does not matter when SACK blocks say what arrived (RFC 6675 §2).</summary>
    /// <param name="acked">The direction acknowledged.</param>
    /// <param name="sent">The direction of its sender, before it.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="step">Gets whether it is a duplicate.</param>
    public static void OnSame(ref DirectionState acked, in DirectionState sent, in ParsedPacket packet, ref LedgerStep step)
    {
        bool isDuplicate = acked.SndMax != acked.SndUna
            && (packet.Flags & (TcpFlags.Syn | TcpFlags.Fin)) == 0
            && packet.Sequence == sent.SndMax
            && (packet.Window == sent.LastWindow || packet.Options.SackBlocks > 0);
        if (isDuplicate)
        {
            acked.DuplicateAcks++;
            acked.LastNewsTime = step.Time;
            step.IsDuplicateAck = true;
            acked.DupAckRun = (byte)Math.Min(acked.DupAckRun + 1, byte.MaxValue);
        }
    }

    /// <summary>
    /// Whether an acknowledgment that repeats SND.UNA tells nothing at all of data, so that it answers a duplicate: data behind a gap would show in a SACK block, and a DSACK would say so itself.
    /// </summary>
    /// <param name="sent">The direction of its sender, before it.</param>
    /// <param name="acked">The direction acknowledged.</param>
    /// <param name="packet">The segment, without payload and FIN.</param>
    /// <param name="step">What is known of it.</param>
    /// <returns>False when it may have another reason.</returns>
    public static bool IsRepeat(in DirectionState sent, in DirectionState acked, in ParsedPacket packet, in LedgerStep step) =>
        step.NewlySacked == 0 && !step.IsDsack && acked.Dsacks == 0
        && (packet.Flags & (TcpFlags.Syn | TcpFlags.Rst)) == 0
        && (packet.Window == sent.LastWindow || IsGrown(sent, packet))
        && packet.Sequence == sent.SndMax
        && acked.Is(DirectionMarks.HasSack)
        && !packet.Options.Has(TcpOptionKinds.Incomplete);

    /// <summary>
    /// Whether an acknowledgment grants more than the one before, but less than twice as much. For room alone Linux sends none before that has doubled (tcp_cleanup_rbuf); others do.
    /// </summary>
    /// <param name="sent">The direction of its sender, before it.</param>
    /// <param name="packet">The segment.</param>
    /// <returns>False also when the window is the same.</returns>
    public static bool IsGrown(in DirectionState sent, in ParsedPacket packet) => packet.Window > sent.LastWindow && packet.Window < 2 * sent.LastWindow;

    /// <summary>The window an acknowledgment grants.</summary>
    /// <param name="sent">The direction of its sender.</param>
    /// <param name="acked">The direction it is granted to.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="step">Gets the window.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void OnWindow(in DirectionState sent, ref DirectionState acked, in ParsedPacket packet, ref LedgerStep step)
    {
        if ((packet.Flags & (TcpFlags.Syn | TcpFlags.Fin)) != 0)
        {
            return;
        }

        acked.ZeroWindows += packet.Window == 0 ? 1 : 0;
        if (sent.Is(DirectionMarks.ScaleKnown))
        {
            uint window = (uint)packet.Window << sent.WindowShift;
            step.Window = window;
            step.IsWindowKnown = true;
            acked.MaxReceiveWindow = Math.Max(acked.MaxReceiveWindow, window);
            acked.MinReceiveWindow = Math.Min(acked.MinReceiveWindow, window);
        }
    }
}
