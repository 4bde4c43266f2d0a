using System;
using System.Globalization;
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
    static readonly string[] Names = ["application", "send buffer", "congestion window", "receive window", "recovery", "timeout"];

    /// <summary>Their names, as the head of a table.</summary>
    public static string Head => string.Join(" | ", Names);

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
            Share(LimitState.Timeout));
    }

    /// <summary>How far others are off in the share where they are furthest off.</summary>
    /// <param name="told">The others; null when nothing was told, which is not wrong.</param>
    /// <returns>0 … 1.</returns>
    public double Distance(LimitShares? told)
    {
        double most = 0;
        for (int i = 0; told is not null && i < Names.Length; i++)
        {
            most = Math.Max(most, Math.Abs(All[i] - told.All[i]));
        }

        return most;
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
