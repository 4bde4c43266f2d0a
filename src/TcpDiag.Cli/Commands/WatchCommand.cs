using System;
using System.CommandLine;
using System.Threading;
using TcpDiag.Capture.Watching;
using TcpDiag.Cli.Watching;
using TcpDiag.Report;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag watch</c>: the connections of this machine, live, the most time lost first.</summary>
static class WatchCommand
{
    const int PlainColumns = 80;

    static readonly TimeSpan ShortestInterval = TimeSpan.FromMilliseconds(100);

    public static Command Create()
    {
        Option<string[]> match = MatchOption.Create("Which connections, e.g. host 10.0.0.0/8, port 443 or process curl; the language of capture");
        Option<TimeSpan> interval = CaptureOptions.Time("--interval", "Time between two readings", TimeSpan.FromSeconds(1), ShortestInterval);
        Option<TimeSpan> duration = CaptureOptions.Time("--for", "How long; until Ctrl-C unless given", Timeout.InfiniteTimeSpan, TimeSpan.FromMilliseconds(1));
        var json = new Option<bool>("--json") { Description = "Print one JSON document a line (schema tcpdiag/watch/1)" };
        var command = new Command("watch", "Show the connections of this machine live: rate, RTT, windows, losses, and what limits each") { match, interval, duration, json };
        command.SetAction(parse =>
            Run(parse, MatchOption.Read(parse.GetValue(match)) ?? new MatchAll(), parse.GetValue(interval), parse.GetValue(duration), parse.GetValue(json)));
        return command;
    }

    static int Run(ParseResult parse, MatchRule match, TimeSpan interval, TimeSpan duration, bool isJson)
    {
        var invocation = (Invocation)parse.InvocationConfiguration;
        using ConnectionWatch watch = ConnectionWatch.Open(match);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(invocation.Interruption);
        stop.CancelAfter(duration);
        using WatchScreen? screen = !isJson && WatchScreen.IsPossible ? new WatchScreen(invocation.Output) : null;
        Show(watch, screen, invocation, isJson);
        bool isOver = false;
        while (!isOver)
        {
            // Once more when the time is over, so that however short it is there is something to compare.
            isOver = stop.Token.WaitHandle.WaitOne(interval);
            if (!invocation.Interruption.IsCancellationRequested)
            {
                Show(watch, screen, invocation, isJson);
            }
        }

        return ExitCode.Done;
    }

    static void Show(ConnectionWatch watch, WatchScreen? screen, Invocation invocation, bool isJson)
    {
        var document = WatchDocuments.ToDocument(watch, watch.Read(), TimeProvider.System.GetUtcNow());
        if (isJson)
        {
            document.Write(invocation.Output);
        }
        else if (screen is not null)
        {
            screen.Draw(WatchTable.Lines(document, WatchScreen.Width, WatchScreen.Height));
        }
        else
        {
            foreach (string line in WatchTable.Lines(document, PlainColumns, int.MaxValue))
            {
                invocation.Output.WriteLine(line);
            }

            invocation.Output.Flush();
        }
    }
}
