using System;
using System.IO;
using System.Linq;
using TcpDiag.Peers;

// peers CAPTURE… [--page FILE]: compares tcpdiag with tshark and tcptrace over captures, and puts the result into the section of FILE between the two markers.
const string Begin = "<!-- tools/peers: begin -->\n";
const string End = "<!-- tools/peers: end -->\n";

int option = Array.IndexOf(args, "--page");
var report = PeerReport.Of(option < 0 ? args : args.Where((_, i) => i != option && i != option + 1));
Console.WriteLine(report.ToMarkdown());
foreach (string difference in report.Unexplained)
{
    Console.WriteLine($"not explained: {difference}");
}

if (option >= 0)
{
    string page = File.ReadAllText(args[option + 1]);
    int from = page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
    int to = page.IndexOf(End, StringComparison.Ordinal);
    File.WriteAllText(args[option + 1], string.Concat(page.AsSpan(0, from), report.ToMarkdown(), page.AsSpan(to)));
}

return report.Unexplained.Count == 0 ? 0 : 1;
