using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>Every open TCP connection with its queues, tcp_info and memory, as <c>ss -tinm</c> shows them.</summary>
static class SocketFacts
{
    const int ReceiveBytes = 1 << 16;

    public static IEnumerable<SnapshotFact> Read()
    {
        using NetlinkSocket netlink = CaptureNamespace.OpenDiagnosis();
        byte[] answers = new byte[ReceiveBytes];
        byte[] request = new byte[InetDiagRequest.Length];
        foreach (byte family in new[] { InetDiagRequest.FamilyIpv4, InetDiagRequest.FamilyIpv6 })
        {
            InetDiagRequest.WriteDump(request, family, 0, withDetails: true);
            var facts = new List<SnapshotFact>();
            bool goesOn = netlink.TrySend(request);
            int length;
            while (goesOn && (length = netlink.Receive(answers)) > 0)
            {
                goesOn = TakeAll(answers.AsSpan(0, length), facts);
            }

            foreach (SnapshotFact fact in facts)
            {
                yield return fact;
            }
        }
    }

    static bool TakeAll(ReadOnlySpan<byte> datagram, List<SnapshotFact> facts)
    {
        var reader = new NetlinkReader(datagram);
        while (reader.TryRead(out ReadOnlySpan<byte> payload))
        {
            if (reader.Type != InetDiagRequest.TypeByFamily)
            {
                return false;
            }

            if (InetDiagMessage.TryRead(payload, out InetDiagMessage message))
            {
                Describe(message, facts);
            }
        }

        return true;
    }

    static void Describe(InetDiagMessage message, List<SnapshotFact> facts)
    {
        string subject = $"{message.Local} {message.Remote}";
        facts.Add(new(
            subject,
            "queues",
            string.Create(CultureInfo.InvariantCulture, $"state={message.State} receive={message.ReceiveQueue} send={message.SendQueue}")));
        if (!message.Info.IsEmpty)
        {
            facts.Add(new(subject, "tcp_info", Encoding.ASCII.GetString(message.CongestionControl) + Fields(message.Info)));
        }

        if (!message.Memory.IsEmpty)
        {
            facts.Add(new(subject, "skmem", SocketMemory.Describe(message.Memory)));
        }
    }

    static string Fields(TcpInfo info)
    {
        var target = new StackEvent();
        target.Reset(StackEventKind.CwndSample, default, string.Empty);
        info.CopyTo(target);
        var text = new StringBuilder();
        for (int next = 0; target.TryGetNext(next, out StackField field, out long value); next = (int)field + 1)
        {
            text.Append(CultureInfo.InvariantCulture, $" {StackEventNames.JsonOf(field)}={value}");
        }

        return text.ToString();
    }
}

/// <summary>Memory of a socket: the words of SK_MEMINFO_* (linux/sock_diag.h) by name.</summary>
static class SocketMemory
{
    static readonly string[] Names = ["rmem_alloc", "rcvbuf", "wmem_alloc", "sndbuf", "fwd_alloc", "wmem_queued", "optmem", "backlog", "drops"];

    /// <summary>Puts them into words.</summary>
    /// <param name="words">32-bit words.</param>
    /// <returns>E.g. <c>rmem_alloc=0 rcvbuf=131072 …</c>.</returns>
    public static string Describe(ReadOnlySpan<byte> words)
    {
        var text = new StringBuilder();
        for (int i = 0; i < Names.Length && (i + 1) * sizeof(uint) <= words.Length; i++)
        {
            uint value = BinaryPrimitives.ReadUInt32LittleEndian(words[(i * sizeof(uint))..]);
            text.Append(CultureInfo.InvariantCulture, $"{(i == 0 ? string.Empty : " ")}{Names[i]}={value}");
        }

        return text.ToString();
    }
}
