using System;
using System.Collections.Generic;
using System.Runtime.Versioning;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Shim.Queue;

/// <summary>
/// The nf_tables rules that send packets to a queue. The table is *owned* by the socket it was made with (NFT_TABLE_F_OWNER, Linux 5.12): the kernel removes it
/// when the socket closes, so nothing is left behind however the process ends. Each rule bypasses the queue while nobody listens.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class QueueRules : IDisposable
{
    // <linux/netfilter/nf_tables.h>
    const ushort Subsystem = 10 << 8;
    const ushort NewTable = Subsystem | 0;
    const ushort NewChain = Subsystem | 3;
    const ushort NewRule = Subsystem | 6;
    const ushort DeleteRule = Subsystem | 8;
    const ushort BatchBegin = 0x10;
    const ushort BatchEnd = 0x11;
    const byte FamilyInet = 1;
    const uint OwnedTable = 2;
    const int BufferBytes = 256 * 1024;

    const int NoSuchFile = 2;

    readonly NetlinkSocket _socket = NetlinkSocket.OpenForPackets(NetlinkSocket.Netfilter);
    readonly NetlinkWriter _writer = new(BufferBytes);
    readonly string _table;
    readonly ushort _queue;
    readonly uint _skipMark;
    readonly IReadOnlyList<QueueChain> _chains;

    /// <summary>Installs the rules.</summary>
    /// <param name="table">A name for the table that nothing else uses.</param>
    /// <param name="queue">The queue's number.</param>
    /// <param name="skipMark">Packets with this mark are left alone: our own copies.</param>
    /// <param name="chains">At which hooks, and which packets there.</param>
    /// <exception cref="PlatformException">The kernel refused.</exception>
    public QueueRules(string table, ushort queue, uint skipMark, IReadOnlyList<QueueChain> chains)
    {
        _table = table;
        _queue = queue;
        _skipMark = skipMark;
        _chains = chains;
        try
        {
            Install();
        }
        catch (PlatformException)
        {
            _socket.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Takes the rules out, so that nothing more comes to the queue; their chains stay. When a chain goes, the kernel drops what is in the queues
    /// (nf_queue_nf_hook_drop): that is for <see cref="Dispose"/>, when the queue is empty.
    /// </summary>
    /// <exception cref="PlatformException">The kernel refused.</exception>
    public void Clear()
    {
        _writer.Clear();
        uint first = _writer.Sequence + 1;
        Batch(BatchBegin);
        foreach (QueueChain chain in _chains)
        {
            _writer.Begin(DeleteRule, NetlinkWriter.Acknowledge, FamilyInet, 0);
            _writer.Put(Nft.RuleTable, _table);
            _writer.Put(Nft.RuleChain, chain.Name);
            _writer.End();
        }

        uint last = _writer.Sequence;
        Batch(BatchEnd);
        _socket.Request(_writer.Written, first, last, $"remove the rules of queue {_queue}");
    }

    /// <summary>Removes the rules, and what is still in the queue.</summary>
    public void Dispose() => _socket.Dispose();

    // A kernel without the queue expression (CONFIG_NFT_QUEUE) answers ENOENT; the target of iptables does the same there.
    void Install()
    {
        try
        {
            Install(asTarget: false);
        }
        catch (PlatformException refused) when (refused.Code == NoSuchFile)
        {
            Install(asTarget: true);
        }
    }

    void Install(bool asTarget)
    {
        _writer.Clear();
        uint first = _writer.Sequence + 1;
        Batch(BatchBegin);
        _writer.Begin(NewTable, NetlinkWriter.Create, FamilyInet, 0);
        _writer.Put(Nft.TableName, _table);
        _writer.Put(Nft.TableFlags, OwnedTable);
        _writer.End();
        foreach (QueueChain chain in _chains)
        {
            AddHook(chain, asTarget);
        }

        uint last = _writer.Sequence;
        Batch(BatchEnd);
        _socket.Request(_writer.Written, first, last, $"install the rules of queue {_queue}");
    }

    void Batch(ushort type)
    {
        _writer.Begin(type, 0, 0, Subsystem >> 8);
        _writer.End();
    }

    void AddHook(QueueChain chain, bool asTarget)
    {
        _writer.Begin(NewChain, NetlinkWriter.Create | NetlinkWriter.Acknowledge, FamilyInet, 0);
        _writer.Put(Nft.ChainTable, _table);
        _writer.Put(Nft.ChainName, chain.Name);
        int nested = _writer.BeginNested(Nft.ChainHook);
        _writer.Put(Nft.HookNumber, (uint)chain.Hook);
        _writer.Put(Nft.HookPriority, 0u);
        _writer.EndNested(nested);
        _writer.Put(Nft.ChainType, "filter");
        _writer.End();
        foreach (PacketTest[] tests in chain.Rules)
        {
            AddRule(chain.Name, tests, asTarget);
        }
    }

    void AddRule(string chain, PacketTest[] tests, bool asTarget)
    {
        // Acknowledgements come in order, so that of the last message stands for the whole batch.
        _writer.Begin(NewRule, NetlinkWriter.Create | NetlinkWriter.Append | NetlinkWriter.Acknowledge, FamilyInet, 0);
        _writer.Put(Nft.RuleTable, _table);
        _writer.Put(Nft.RuleChain, chain);
        int expressions = _writer.BeginNested(Nft.RuleExpressions);
        RuleExpressions.MarkDiffers(_writer, _skipMark);
        foreach (PacketTest test in tests)
        {
            RuleExpressions.Test(_writer, in test);
        }

        RuleExpressions.Queue(_writer, _queue, asTarget);
        _writer.EndNested(expressions);
        _writer.End();
    }
}
