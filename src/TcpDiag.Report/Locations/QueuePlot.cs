using System;
using System.Linq;
using System.Text;
using TcpDiag.Locate.Results;
using TcpDiag.Report.Html;

namespace TcpDiag.Report.Locations;

/// <summary>How long data waited on each step above the least delay, which clocks do not blur: from 5 to 95 % of the packets, and the median.</summary>
static class QueuePlot
{
    const double Width = 360;
    const double Left = 60;
    const double Right = 350;
    const double Row = 26;
    const double Bar = 12;

    /// <summary>Draws a direction.</summary>
    public static string Of(LocatedDirection direction, string name)
    {
        double most = Math.Max(1, direction.Steps.Max(step => Above(step, 0.99)));
        double height = (Row * direction.Steps.Count) + 26;
        StringBuilder plot = new($"<figure>{Svg.Open(Width, height, $"{name}: time in queues")}");
        for (int i = 0; i < direction.Steps.Count; i++)
        {
            Draw(plot, direction.Steps[i], i, most);
        }

        double bottom = Row * direction.Steps.Count;
        plot.Append(FormattableString.Invariant($"<path class=\"frame\" d=\"M{Left} 0V{bottom}H{Right}\"/>"));
        plot.Append(Svg.Text("begin", Left, bottom + 16, "0")).Append(Svg.Text("end", Right, bottom + 16, LocationWords.Delay((long)most)));
        return plot.Append("</svg><figcaption>Queue: how long data waited above the least delay; 25 to 75 % of the packets, faint 5 to 99 %, the line is the "
            + "median</figcaption></figure>").ToString();
    }

    /// <summary>A quantile of the delay above the least, ns.</summary>
    public static double Above(LocatedStep step, double share) => step.Data.Delays.Count == 0 ? 0 : step.Data.Delays.Quantile(share) - step.Data.Delays.Min;

    static void Draw(StringBuilder plot, LocatedStep step, int row, double most)
    {
        double top = (row * Row) + ((Row - Bar) / 2);
        string kind = LocationStyle.ClassOf(row);
        plot.Append(Svg.Text("end", Left - 6, top + 10, LocationWords.Letters(step.From, step.To)));
        if (step.Data.Delays.Count > 0)
        {
            plot.Append(Span($"bar wide {kind}", 0.05, 0.99)).Append(Span($"bar {kind}", 0.25, 0.75));
            plot.Append(Svg.Rect("middle", X(0.5) - 1, top - 3, 2, Bar + 6));
        }

        double X(double share) => Left + (Math.Min(1, Above(step, share) / most) * (Right - Left));
        string Span(string style, double from, double to) => Svg.Rect(style, X(from), top, X(to) - X(from), Bar);
    }
}

/// <summary>What share of the data was lost, and what share changed its place, on each step.</summary>
static class LossPlot
{
    const double Width = 360;
    const double Left = 60;
    const double Right = 300;
    const double Row = 34;
    const double Bar = 10;

    /// <summary>Draws a direction; nothing where nothing was lost or moved.</summary>
    public static string Of(LocatedDirection direction, string name)
    {
        double most = direction.Steps.Max(step => Math.Max(Share(step.Data, step.Data.Lost), Share(step.Data, step.Data.Moved)));
        if (most == 0)
        {
            return string.Empty;
        }

        StringBuilder plot = new($"<figure>{Svg.Open(Width, (Row * direction.Steps.Count) + 4, $"{name}: loss and reordering")}");
        for (int i = 0; i < direction.Steps.Count; i++)
        {
            LocatedStep step = direction.Steps[i];
            string kind = LocationStyle.ClassOf(i);
            double top = (i * Row) + 4;
            plot.Append(Svg.Text("end", Left - 6, top + 14, LocationWords.Letters(step.From, step.To)));
            Draw(plot, $"bar {kind}", top, Share(step.Data, step.Data.Lost), most, $"{step.Data.Lost} lost");
            Draw(plot, $"bar far {kind}", top + Bar + 3, Share(step.Data, step.Data.Moved), most, $"{step.Data.Moved} moved");
        }

        return plot.Append("</svg><figcaption>Share of the data that was lost, and faint that changed its place</figcaption></figure>").ToString();
    }

    static double Share(LocatedPackets data, long count) => count == 0 ? 0 : (double)count / (data.Arrived + data.Lost);

    static void Draw(StringBuilder plot, string kind, double top, double share, double most, string text)
    {
        double width = share / most * (Right - Left);
        plot.Append(share > 0 ? Svg.Rect(kind, Left, top, width, Bar) : string.Empty);
        plot.Append(Svg.Text("begin", Left + width + 4, top + Bar - 1, text));
    }
}
