using System;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>The numbers of RFC 9293 §3.3.1 for what is sent, and how far the program and the receiver let them go.</summary>
/// <param name="firstByte">Sequence number of the first byte of data.</param>
/// <param name="window">The receive window of the handshake in bytes.</param>
struct SendWindow(SequenceNumber firstByte, int window)
{
    SequenceNumber _rightEdge = firstByte + window;
    SequenceNumber _written = firstByte;
    int _maxWindow = window; // MAX.SND.WND
    SequenceNumber? _probedOctet; // sent beyond a closed window, and not outstanding like other data

    /// <summary>SND.UNA.</summary>
    public SequenceNumber Una { get; private set; } = firstByte;

    /// <summary>SND.NXT, the highest sent.</summary>
    public SequenceNumber Nxt { get; private set; } = firstByte;

    /// <summary>Bytes written and not sent yet.</summary>
    public readonly int Unsent => _written - Nxt;

    /// <summary>Bytes written and not acknowledged.</summary>
    public readonly int Buffered => _written - Una;

    /// <summary>Whether the receiver takes more.</summary>
    public readonly bool IsOpen => _rightEdge > Nxt;

    /// <summary>Bytes of the next segment; 0 or less when there is nothing that may be sent.</summary>
    public readonly int NextLength(int smss) => Math.Min(Math.Min(Unsent, smss), _rightEdge - Nxt);

    /// <summary>The program wrote.</summary>
    public void OnWritten(int bytes) => _written += bytes;

    /// <summary>New data is sent.</summary>
    public void OnSent(int bytes)
    {
        Nxt += bytes;
        _written = Nxt > _written ? Nxt : _written;
    }

    /// <summary>One octet is sent beyond a closed window.</summary>
    public void OnProbed() => _probedOctet = Nxt;

    /// <summary>Takes in an acknowledgment.</summary>
    /// <returns>
    /// False for one of data never sent, or overtaken (RFC 9293 §3.10.7.4). One that was overtaken moves nothing, but its SACK blocks count (RFC 6675 §3),
    /// unless it is too old (RFC 5961 §5).
    /// </returns>
    public bool OnAckReceived(SequenceNumber una, int window, bool hasSacks)
    {
        if (_probedOctet == Nxt && una == Nxt + 1 && Unsent > 0)
        {
            Nxt = una; // the octet arrived after all
        }

        if (una < Una || una > Nxt)
        {
            return hasSacks && una < Una && Una - una <= _maxWindow;
        }

        Una = una;
        _maxWindow = int.Max(_maxWindow, window);
        _rightEdge = una + window; // also to the left: then nothing new is sent (RFC 9293 §3.8.6)
        return true;
    }
}
