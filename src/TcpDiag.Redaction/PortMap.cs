using System;
using System.Globalization;
using System.Security.Cryptography;

namespace TcpDiag.Redaction;

/// <summary>
/// Permutes ports within the ranges of RFC 6335 (system, user, dynamic). Port 0 and the ports of name services stay: parsers depend on them.
/// </summary>
sealed class PortMap
{
    const int Ports = 1 << 16;
    const int FirstUser = 1024;
    const int FirstDynamic = 49_152;
    const int BlockBytes = 16;

    readonly ushort[] _map = new ushort[Ports];

    public PortMap(RedactionKey key)
    {
        ulong[] order = RandomOrder(key.Derive("ports"));
        Shuffle(order, 0, FirstUser);
        Shuffle(order, FirstUser, FirstDynamic);
        Shuffle(order, FirstDynamic, Ports);
    }

    public ushort Map(ushort port) => _map[port];

    /// <summary>Whether a port belongs to DNS, the NetBIOS name service, mDNS or LLMNR, whose messages have the form of DNS.</summary>
    public static bool IsNameService(int port) => port is 53 or 137 or 5353 or 5355;

    // A sort key for each port, unpredictable without the secret: the encrypted port number.
    static ulong[] RandomOrder(byte[] secret)
    {
        using var aes = Aes.Create();
        aes.SetKey(secret);
        byte[] blocks = new byte[Ports * BlockBytes];
        for (int port = 0; port < Ports; port++)
        {
            BitConverter.TryWriteBytes(blocks.AsSpan(port * BlockBytes), port);
        }

        aes.EncryptEcb(blocks, blocks, PaddingMode.None);
        ulong[] order = new ulong[Ports];
        for (int port = 0; port < Ports; port++)
        {
            order[port] = BitConverter.ToUInt64(blocks, port * BlockBytes);
        }

        return order;
    }

    void Shuffle(ulong[] order, int from, int to)
    {
        ushort[] ports = new ushort[to - from];
        int count = 0;
        for (int port = from; port < to; port++)
        {
            _map[port] = (ushort)port;
            if (port != 0 && !IsNameService(port))
            {
                ports[count] = (ushort)port;
                order[from + count++] = order[port];
            }
        }

        ushort[] shuffled = ports[..count];
        Array.Sort(order[from..(from + count)], shuffled);
        for (int i = 0; i < count; i++)
        {
            _map[ports[i]] = shuffled[i];
        }
    }
}

/// <summary>
/// Finds the numbers of a text that are ports, token by token: <c>10.0.0.1:443</c>, <c>[::1]:443</c>, <c>proxy.example:443</c>, <c>port 80,443</c>,
/// <c>port 1000-2000</c>, <c>pktmon filter add … -p 80 443</c>; but not <c>pktmon start … -p 128</c>, which is a packet length.
/// </summary>
struct PortFinder
{
    State _state;
    bool _isFilter;
    bool _isOption;

    enum State
    {
        Elsewhere,
        BehindAddress,
        BehindDot,
        BehindColon,
        BehindHyphen,
        BeforePort,
        BehindPort,
    }

    /// <summary>Takes the next token; every token must be passed, in order.</summary>
    public bool TryRead(TextTokenKind kind, ReadOnlySpan<char> piece, out ushort port)
    {
        port = 0;
        bool isPort = _state is State.BeforePort or State.BehindColon && kind == TextTokenKind.Word
            && ushort.TryParse(piece, NumberStyles.None, CultureInfo.InvariantCulture, out port);
        _state = isPort ? State.BehindPort : kind switch
        {
            TextTokenKind.Address => State.BehindAddress,
            TextTokenKind.Separator => Behind(piece[0]),
            TextTokenKind.Word => Behind(piece),
            _ => State.Elsewhere,
        };
        return isPort;
    }

    State Behind(char separator) => (separator, _state) switch
    {
        (']', State.BehindAddress) => State.BehindAddress,
        (':', State.BehindAddress) => State.BehindColon,
        (' ', State.BeforePort) => State.BeforePort,
        (' ', State.BehindPort) when _isOption => State.BeforePort,
        (',' or '-', State.BehindPort) => State.BeforePort,
        ('-', _) => State.BehindHyphen,
        ('.', _) => State.BehindDot,
        _ => State.Elsewhere,
    };

    State Behind(ReadOnlySpan<char> word)
    {
        bool isPort = word.Equals("port", StringComparison.OrdinalIgnoreCase) || word.Equals("ports", StringComparison.OrdinalIgnoreCase);
        _isFilter = word is "filter" || (_isFilter && word is not "start");
        _isOption = _state == State.BehindHyphen && _isFilter && word is "p";
        bool endsName = _state == State.BehindDot && !char.IsAsciiDigit(word[0]);
        return isPort || _isOption ? State.BeforePort : endsName ? State.BehindAddress : State.Elsewhere;
    }
}
