using System.Net;

namespace TcpDiag.Lab.Peers;

/// <summary>Two addresses of this machine between which an experiment sends: those of two network cards, or of the loopback device.</summary>
/// <param name="Sender">The sender's.</param>
/// <param name="Receiver">The receiver's; another one, for by it the ways of a packet are told apart.</param>
public sealed record OwnEnds(IPAddress Sender, IPAddress Receiver)
{
    /// <summary>Reads two addresses.</summary>
    /// <param name="text">E.g. <c>127.0.0.1+127.0.0.2</c>.</param>
    /// <returns>The ends.</returns>
    /// <exception cref="LabException">They are not two, of one family.</exception>
    public static OwnEnds Read(string text) =>
        text.Split('+') is [var one, var other]
            && IPAddress.TryParse(one, out IPAddress? sender) && IPAddress.TryParse(other, out IPAddress? receiver)
            && sender.AddressFamily == receiver.AddressFamily && !sender.Equals(receiver)
            ? new OwnEnds(sender, receiver)
            : throw new LabException($"--ends: expected two different addresses of this machine such as 127.0.0.1+127.0.0.2, found '{text}'.");

    /// <inheritdoc/>
    public override string ToString() => $"{Sender}+{Receiver}";
}
