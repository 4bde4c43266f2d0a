using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace TcpDiag.Lab.Flows;

/// <summary>One of the two programs of a flow: opens its connections and sends or receives on all of them at once, on a thread each.</summary>
public static class FlowProgram
{
    /// <summary>Runs to the end of all connections.</summary>
    /// <param name="job">The flow.</param>
    /// <param name="isSender">Which end this is.</param>
    /// <param name="ready">Called with the port once a connection would be accepted; not at all by the end that connects.</param>
    /// <param name="isGivenUp">Asked while waiting for a connection; null is never.</param>
    /// <returns>What was counted, a report for each connection.</returns>
    /// <exception cref="LabException">A setting of a socket did not take, or nobody connected.</exception>
    /// <exception cref="SocketException">There is no way to the other end.</exception>
    public static IReadOnlyList<FlowReport> Run(FlowJob job, bool isSender, Action<int> ready, Func<bool>? isGivenUp = null)
    {
        using FlowOpening opening = new(job, isSender, ready, isGivenUp);
        List<Task<FlowReport>> running = [];
        for (int i = 1; i <= job.Flow.Connections; i++)
        {
            string? log = LogOf(isSender ? job.Sender.Log : job.Receiver.Log, i);
            Func<Socket> open = opening.Open;
            if (!opening.IsClient)
            {
                Socket accepted = opening.Open();
                open = () => accepted;
            }

            running.Add(Task.Factory.StartNew(() => Transfer(open(), job, isSender, log), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));
        }

        return Task.WhenAll(running).GetAwaiter().GetResult().OrderBy(report => report.ClientPort).ToArray();
    }

    static FlowReport Transfer(Socket connection, FlowJob job, bool isSender, string? path)
    {
        using Socket socket = connection;
        using TransferLog log = new(path);
        FlowOutcome outcome = isSender ? FlowSender.Run(socket, job.Flow, log) : FlowReceiver.Run(socket, job.Flow, job.MaxBytes ?? long.MaxValue, log);
        return log.Report(outcome, socket, isSender != job.Flow.IsDownload);
    }

    // sender.tsv, sender-2.tsv, …
    static string? LogOf(string? path, int number) =>
        number == 1 || path is null ? path : System.IO.Path.ChangeExtension(path, null) + string.Create(CultureInfo.InvariantCulture, $"-{number}.tsv");
}
