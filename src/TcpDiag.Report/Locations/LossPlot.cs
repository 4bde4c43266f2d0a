using System;
using System.Linq;
using System.Text;
using TcpDiag.Locate.Results;
using TcpDiag.Report.Html;

namespace TcpDiag.Report.Locations;

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
