using System;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Truth;

/// <summary>Shares of a sender's active time, 0 … 1, in what kernel and program can tell apart.</summary>
/// <param name="Application">Nothing to send, idle included.</param>
/// <param name="SendBuffer">The program wants to write, and all that its socket took has been sent.</param>
/// <param name="CongestionWindow">Data waits, and neither of the windows below nor a repair is why: congestion window and pacing, which no counter of the
/// kernel tells apart.</param>
/// <param name="ReceiveWindow">The receive window holds data back.</param>
/// <param name="Recovery">Something was sent again, and the recovery point is not acknowledged yet.</param>
/// <param name="Timeout">Silence that a timer ended.</param>
public sealed record LimitShares(double Application, double SendBuffer, double CongestionWindow, double ReceiveWindow, double Recovery, double Timeout)
{
    const int BufferPlace = 1, WindowPlace = 2; // in All

    static readonly string[] Names = ["application", "send buffer", "congestion window", "receive window", "recovery", "timeout"];

    /// <summary>Their names, as the head of a table.</summary>
    public static string Head => string.Join(" | ", Names);

    /// <summary>In truth, the part of the congestion window's share in which the receive window was full too: the kernel's clock names only one.</summary>
    public double EitherWindow { get; init; }

    /// <summary>As told, the part of the congestion window's share that is told to be uncertain.</summary>
    public double UncertainWindow { get; init; }

    /// <summary>As told, the part of the send buffer's share that is told to be uncertain.</summary>
    public double UncertainBuffer { get; init; }

    /// <summary>What is told to be uncertain, 0 … 1.</summary>
    public double Uncertain => UncertainWindow + UncertainBuffer;

    double[] All => [Application, SendBuffer, CongestionWindow, ReceiveWindow, Recovery, Timeout];

    /// <summary>What the analysis says.</summary>
    /// <param name="limits">Its verdict; null when it gives none.</param>
    /// <returns>The shares; null when there is no verdict.</returns>
    public static LimitShares? Of(LimitSummary? limits)
    {
        if (limits is null)
        {
            return null;
        }

        double Share(LimitState state) => (double)limits.Times.In(state) / Math.Max(limits.Times.Total, 1);
        return new(
            Share(LimitState.Application) + Share(LimitState.Idle),
            Share(LimitState.SendBuffer),
            Share(LimitState.CongestionWindow) + Share(LimitState.Pacing),
            Share(LimitState.ReceiveWindow),
            Share(LimitState.Recovery) + Share(LimitState.Reassembly),
            Share(LimitState.Timeout))
        {
            UncertainWindow = (double)limits.Uncertain / Math.Max(limits.Times.Total, 1),
            UncertainBuffer = (double)limits.UncertainSendBuffer / Math.Max(limits.Times.Total, 1),
        };
    }

    /// <summary>How far others are off in the share where they are furthest off.</summary>
    /// <param name="told">The others; null when nothing was told, which is not wrong.</param>
    /// <returns>0 … 1.</returns>
    public double Distance(LimitShares? told)
    {
        double[] all = told is null ? [] : AllBeside(told);
        return all.Select((share, i) => Math.Abs(share - told!.All[i])).DefaultIfEmpty().Max();
    }

    /// <summary>
    /// The same beyond what they tell to be uncertain: that part of a share may be less, and any other share more by it.
    /// </summary>
    /// <param name="told">The others; null when nothing was told, which is not wrong.</param>
    /// <returns>0 … 1.</returns>
    public double DistanceBeyondUncertain(LimitShares? told)
    {
        double most = 0;
        double[] all = told is null ? [] : AllBeside(told);
        for (int i = 0; i < all.Length; i++)
        {
            double own = i == BufferPlace ? told!.UncertainBuffer : i == WindowPlace ? told!.UncertainWindow : 0;
            double least = told!.All[i] - own;
            most = Math.Max(most, Math.Max(least - all[i], all[i] - (least + told.Uncertain)));
        }

        return most;
    }

    // Where both windows were full at once, either is right.
    double[] AllBeside(LimitShares told)
    {
        double moved = Math.Clamp(told.ReceiveWindow - ReceiveWindow, 0, Math.Min(EitherWindow, CongestionWindow));
        return (this with { CongestionWindow = CongestionWindow - moved, ReceiveWindow = ReceiveWindow + moved }).All;
    }

    /// <summary>Shares true and told at the sender, true and told at the receiver, in percent, as cells of a table.</summary>
    /// <param name="sender">Of the sender.</param>
    /// <param name="receiver">Of the receiver.</param>
    /// <returns>The cells.</returns>
    public static string Cells((LimitShares True, LimitShares? Told) sender, (LimitShares True, LimitShares? Told) receiver)
    {
        string[] cells = new string[Names.Length];
        for (int i = 0; i < cells.Length; i++)
        {
            cells[i] = $"{Percent(sender.True.All[i])} {Percent(sender.Told?.All[i])} · {Percent(receiver.True.All[i])} {Percent(receiver.Told?.All[i])}";
        }

        return string.Join(" | ", cells);
    }

    static string Percent(double? share) => share is { } value ? (value * 100).ToString("0.0", CultureInfo.InvariantCulture) : "–";
}
