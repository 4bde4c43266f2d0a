using System;
using System.Linq;
using System.Text;
using TcpDiag.Locate.Results;
using TcpDiag.Report.Html;

namespace TcpDiag.Report.Locations;

/// <summary>How long data waited on each step above the least delay, which clocks do not blur: from 5 to 99 % of the packets, and the median.</summary>
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
