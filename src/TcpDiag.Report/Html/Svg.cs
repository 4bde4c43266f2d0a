using System;

namespace TcpDiag.Report.Html;

/// <summary>Elements of a drawing. Texts are encoded already, or numbers.</summary>
static class Svg
{
    /// <summary>Begins a drawing that is as wide as its place.</summary>
    public static string Open(double width, double height, string label) =>
        FormattableString.Invariant($"<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">");

    /// <summary>A text.</summary>
    public static string Text(string kind, double x, double y, string text) =>
        FormattableString.Invariant($"<text class=\"{kind}\" x=\"{x:0.#}\" y=\"{y:0.#}\">{text}</text>");

    /// <summary>A rectangle; at least 1 wide.</summary>
    public static string Rect(string kind, double x, double y, double width, double height) =>
        FormattableString.Invariant($"<rect class=\"{kind}\" x=\"{x:0.#}\" y=\"{y:0.#}\" width=\"{Math.Max(1, width):0.#}\" height=\"{height:0.#}\"/>");

    /// <summary>A line.</summary>
    public static string Line(string kind, (double X, double Y) from, (double X, double Y) to) =>
        FormattableString.Invariant($"<line class=\"{kind}\" x1=\"{from.X:0.#}\" y1=\"{from.Y:0.#}\" x2=\"{to.X:0.#}\" y2=\"{to.Y:0.#}\"/>");

    /// <summary>A circle; the title is shown where the pointer rests on it.</summary>
    public static string Circle(string kind, double x, double y, double radius, string title = "")
    {
        string content = title.Length == 0 ? string.Empty : $"<title>{title}</title>";
        return FormattableString.Invariant($"<circle class=\"{kind}\" cx=\"{x:0.#}\" cy=\"{y:0.#}\" r=\"{radius}\">{content}</circle>");
    }
}
