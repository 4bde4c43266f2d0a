using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>
/// The receive window of a connection is about half, or less, of what another connection to the same service of the same server gets in the same
/// comparison (story S4: two captures, two kernels). Both must be held back by it.
/// </summary>
static class HalvedWindowRule
{
    const double MostPart = 0.6;

    public static IEnumerable<Finding> Judge(IReadOnlyList<Connection> connections)
    {
        var widest = new Dictionary<Service, DirectionSubject>();
        var limited = new List<DirectionSubject>();
        foreach (Connection connection in connections)
        {
            Consider(new DirectionSubject(connection, true), widest, limited);
            Consider(new DirectionSubject(connection, false), widest, limited);
        }

        foreach (DirectionSubject subject in limited)
        {
            DirectionSubject other = widest[Service.Of(subject)];
            if (Window(subject) <= MostPart * Window(other))
            {
                yield return Word(subject, other);
            }
        }
    }

    static void Consider(DirectionSubject subject, Dictionary<Service, DirectionSubject> widest, List<DirectionSubject> limited)
    {
        if (!ReceiveWindowRule.IsLimited(subject) || Window(subject) == 0)
        {
            return;
        }

        limited.Add(subject);
        Service service = Service.Of(subject);
        if (!widest.TryGetValue(service, out DirectionSubject known) || Window(subject) > Window(known))
        {
            widest[service] = subject;
        }
    }

    static int Window(DirectionSubject subject) => subject.Direction.MaxReceiveWindowBytes ?? 0;

    static Finding Word(DirectionSubject subject, DirectionSubject other)
    {
        string here = Quantity.Bytes(Window(subject));
        string there = Quantity.Bytes(Window(other));
        long saved = (long)(ReceiveWindowRule.TimeOf(subject) * (1 - ((double)Window(subject) / Window(other))));
        return subject.Found(new FindingDraft(FindingIds.ReceiveWindowHalved)
            .Costs(saved)
            .Sure(0.85)
            .Worded(() => new FindingText($"The {subject.Receiver}'s receive window is {here} here and {there} on connection {other.Connection.Index}.")
                .Because($"The same service, the same kind of transfer, and a window so much smaller: the {subject.Receiver} runs another kernel or build, or other buffer settings. Goodput falls in proportion.")
                .Shown("largest receive window here", $"{here}")
                .Shown("largest receive window on the other connection", $"{there}")
                .Shown("goodput here and there", $"{Quantity.BitRate(subject.Direction.GoodputBitsPerSecond)} and {Quantity.BitRate(other.Direction.GoodputBitsPerSecond)}")
                .Advise(
                    $"Compare operating system, kernel or build, and buffer settings of both {subject.Receiver}s.",
                    $"Linux {subject.Receiver}: from 6.6 on a socket with SO_RCVBUF begins with a window of a quarter of it, before with half: double SO_RCVBUF, or do not set it.",
                    $"Windows {subject.Receiver}: compare netsh interface tcp show global and Get-NetTCPSetting of both.")));
    }

    // A server by its name, where that is known: it may have several addresses.
    readonly record struct Service(string? Name, IpAddress Address, ushort Port, bool IsFromClient)
    {
        public static Service Of(in DirectionSubject subject)
        {
            Connection connection = subject.Connection;
            return new(connection.ServerName, connection.ServerName is null ? connection.Server.Address : default, connection.Server.Port, subject.IsFromClient);
        }
    }
}
