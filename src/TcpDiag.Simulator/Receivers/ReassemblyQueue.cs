using System.Collections.Generic;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Receivers;

/// <summary>What a receiver holds out of order, as blocks in ascending order.</summary>
sealed class ReassemblyQueue
{
    const int MaxReported = 3; // beside timestamps (RFC 2018 §3)

    readonly List<SackBlock> _blocks = [];
    SequenceNumber _latest; // in the block that changed last: it is reported first (RFC 2018 §4)

    /// <summary>Whether nothing is held.</summary>
    public bool IsEmpty => _blocks.Count == 0;

    /// <summary>How many blocks there are.</summary>
    public int Count => _blocks.Count;

    /// <summary>Behind the last byte held; valid unless <see cref="IsEmpty"/>.</summary>
    public SequenceNumber End => _blocks[^1].Right;

    /// <summary>Bytes held.</summary>
    public int Bytes { get; private set; }

    /// <summary>Whether a block is held whole.</summary>
    public bool Contains(SackBlock block)
    {
        foreach (SackBlock held in _blocks)
        {
            if (held.Left <= block.Left && block.Right <= held.Right)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether a block would join one that is held.</summary>
    public bool Touches(SackBlock block)
    {
        foreach (SackBlock held in _blocks)
        {
            if (held.Left <= block.Right && block.Left <= held.Right)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Takes in a block.</summary>
    public void Add(SackBlock block)
    {
        _latest = block.Left;
        int at = 0;
        while (at < _blocks.Count && _blocks[at].Right < block.Left)
        {
            at++;
        }

        while (at < _blocks.Count && _blocks[at].Left <= block.Right)
        {
            SackBlock held = _blocks[at];
            block = new SackBlock(held.Left < block.Left ? held.Left : block.Left, held.Right > block.Right ? held.Right : block.Right);
            RemoveAt(at);
        }

        _blocks.Insert(at, block);
        Bytes += block.Right - block.Left;
    }

    /// <summary>Takes out what has come in order.</summary>
    /// <param name="rcvNxt">What is in order so far.</param>
    /// <returns>What is in order with it.</returns>
    public SequenceNumber TakeInOrder(SequenceNumber rcvNxt)
    {
        while (_blocks.Count > 0 && _blocks[0].Left <= rcvNxt)
        {
            rcvNxt = _blocks[0].Right > rcvNxt ? _blocks[0].Right : rcvNxt;
            RemoveAt(0);
        }

        return rcvNxt;
    }

    /// <summary>Reports the block with the latest segment, then the others (RFC 2018 §4).</summary>
    public void Report(ref AckArrival ack)
    {
        int latest = _blocks.Count - 1;
        while (latest >= 0 && !(_blocks[latest].Left <= _latest && _latest < _blocks[latest].Right))
        {
            latest--;
        }

        if (latest >= 0)
        {
            ack.Add(_blocks[latest]);
        }

        for (int i = _blocks.Count - 1; i >= 0 && ack.BlockCount < MaxReported; i--)
        {
            if (i != latest)
            {
                ack.Add(_blocks[i]);
            }
        }
    }

    void RemoveAt(int index)
    {
        Bytes -= _blocks[index].Right - _blocks[index].Left;
        _blocks.RemoveAt(index);
    }
}
