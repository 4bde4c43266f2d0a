using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Capture.Watching;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli.Recording;

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
        var command = new Command("watch", "Show the connections of this machine live: rate, RTT, windows, losses, and what limits each")
        {
            match, interval, duration, json,
        };
        command.SetAction(parse =>
            Run(parse, MatchOption.Read(parse.GetValue(match)) ?? new MatchAll(), parse.GetValue(interval), parse.GetValue(duration), parse.GetValue(json)));
        return command;
    }

    static int Run(ParseResult parse, MatchRule match, TimeSpan interval, TimeSpan duration, bool isJson)
    {
        var invocation = (Invocation)parse.InvocationConfiguration;
        using ConnectionMonitor watch = ConnectionMonitor.Open(match);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(invocation.Interruption);
        stop.CancelAfter(duration);
        using WatchScreen? screen = !isJson && WatchScreen.IsPossible ? new WatchScreen(invocation.Output) : null;
        Show(watch, screen, invocation, isJson);
        bool isOver = false;
        while (!isOver)
        {
            // One more reading when the time is over, so that there is something to compare however short it is.
            isOver = stop.Token.WaitHandle.WaitOne(interval);
            if (!invocation.Interruption.IsCancellationRequested)
            {
                Show(watch, screen, invocation, isJson);
            }
        }

        return ExitCode.Done;
    }

    static void Show(ConnectionMonitor watch, WatchScreen? screen, Invocation invocation, bool isJson)
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

/// <summary>
/// Draws a table over and over in the same place of a terminal, on a screen of its own, and leaves the last one behind when it ends. The size is asked for
/// each time, so that the window may change. Without colours, so that NO_COLOR has nothing to switch off.
/// </summary>
sealed class WatchScreen(TextWriter output) : IDisposable
{
    const string OwnScreen = "\x1b[?1049h\x1b[?25l";
    const string UsualScreen = "\x1b[?25h\x1b[?1049l";
    const string Empty = "\x1b[H\x1b[J";

    IReadOnlyList<string> _last = [];
    bool _isOpen;

    /// <summary>Whether standard output is a terminal that can be drawn on.</summary>
    public static bool IsPossible => !Console.IsOutputRedirected && Environment.GetEnvironmentVariable("TERM") is not "dumb";

    /// <summary>Columns of the terminal.</summary>
    public static int Width => Math.Max(Console.WindowWidth, 1);

    /// <summary>Lines of the terminal.</summary>
    public static int Height => Math.Max(Console.WindowHeight, 1);

    /// <summary>Draws.</summary>
    public void Draw(IReadOnlyList<string> lines)
    {
        output.Write(_isOpen ? Empty : OwnScreen + Empty);
        _isOpen = true;

        // No line feed after the last line, which may be the last of the terminal.
        output.Write(string.Join("\r\n", lines));
        output.Flush();
        _last = lines;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isOpen)
        {
            return;
        }

        _isOpen = false;
        output.Write(UsualScreen);
        foreach (string line in _last)
        {
            output.WriteLine(line);
        }
    }
}

/// <summary>Turns the readings of a watch into what reports show.</summary>
static class WatchDocuments
{
    /// <summary>The document of a reading.</summary>
    public static WatchDocument ToDocument(ConnectionMonitor watch, IReadOnlyList<WatchedConnection> connections, DateTimeOffset now) => new(
        WatchDocument.SchemaName,
        now,
        watch.Interval == TimeSpan.Zero ? null : watch.Interval.TotalSeconds,
        watch.HasEvents,
        watch.LeftOut,
        [.. connections.Select(ToEntry)]);

    static WatchedConnectionEntry ToEntry(WatchedConnection connection) => new(
        ToEntry(connection.Local),
        ToEntry(connection.Remote),
        connection.ProcessId,
        connection.Process,
        connection.SendBitsPerSecond,
        connection.ReceiveBitsPerSecond,
        connection.SrttUs,
        connection.CwndBytes,
        connection.InFlightBytes,
        connection.SendWindowBytes,
        connection.Retransmissions,
        connection.Reorderings,
        connection.Limit == WatchLimit.Unknown ? null : JsonNamingPolicy.CamelCase.ConvertName(connection.Limit.ToString()),
        connection.LostUs,
        connection.BusyUs);

    static EndpointEntry ToEntry(Endpoint end) => new(end.Address.ToString(), end.Port);
}
