using System;
using System.Text;

namespace TcpDiag.Report.Html;

/// <summary>The frame of a drawing whose lines rise from none to all of the share up to each figure; lengths in the units of its view box.</summary>
static class SharePlot
{
    /// <summary>Left end of the lines.</summary>
    public const double Left = 34;

    /// <summary>Right end.</summary>
    public const double Right = 350;

    /// <summary>Where all are reached.</summary>
    public const double Top = 8;

    /// <summary>Where none is.</summary>
    public const double Bottom = 150;

    const double Width = 360;
    const double Height = 180;

    /// <summary>Begins a drawing: its frame, and the ends of the share.</summary>
    /// <param name="label">What it shows, encoded already.</param>
    public static StringBuilder Open(string label)
    {
        StringBuilder plot = new($"<figure>{Svg.Open(Width, Height, label)}");
        plot.Append(FormattableString.Invariant($"<path class=\"frame\" d=\"M{Left} {Top}V{Bottom}H{Right}\"/>"));
        return plot.Append(Svg.Text("end", Left - 4, Top + 8, "100%")).Append(Svg.Text("end", Left - 4, Bottom, "0"));
    }

    /// <summary>The height of a share, 0 … 1.</summary>
    public static double Y(double share) => Bottom - (Math.Clamp(share, 0, 1) * (Bottom - Top));

    /// <summary>The place of a figure between the smallest and the largest that are drawn.</summary>
    public static double X(double figure, double low, double high) => Left + (Math.Clamp((figure - low) / (high - low), 0, 1) * (Right - Left));
}
