using System;
using System.IO;
using TcpDiag.Truth;

// truth DIRECTORY [FILE]: compares the runs below DIRECTORY, and puts the result into the section of FILE between the two markers.
const string Begin = "<!-- tools/truth: begin -->\n";
const string End = "<!-- tools/truth: end -->\n";

TruthReport report = TruthReport.Of(args[0]);
Console.WriteLine(report.ToMarkdown());
foreach (string difference in report.Differences)
{
    Console.WriteLine(difference);
}

if (args.Length > 1)
{
    string text = File.ReadAllText(args[1]);
    int from = text.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
    int to = text.IndexOf(End, StringComparison.Ordinal);
    File.WriteAllText(args[1], string.Concat(text.AsSpan(0, from), report.ToMarkdown(), text.AsSpan(to)));
}
