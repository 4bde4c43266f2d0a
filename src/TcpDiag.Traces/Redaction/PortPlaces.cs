using System;
using System.Globalization;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// Tells which numbers of a text are ports, token by token: <c>10.0.0.1:443</c>, <c>[::1]:443</c>, <c>proxy.example:443</c>, <c>port 80,443</c>, <c>port 1000-2000</c>, and
/// <c>pktmon filter add … -p 80 443</c>, whose <c>pktmon start … -p 128</c> is the length of packets.
/// </summary>
struct PortPlaces
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

    /// <summary>Looks at the next token.</summary>
    /// <param name="kind">What it is.</param>
    /// <param name="piece">The token.</param>
    /// <param name="port">The port.</param>
    /// <returns>Whether it is a port.</returns>
    public bool TryRead(TextTokenKind kind, ReadOnlySpan<char> piece, out ushort port)
    {
        port = 0;
        bool isPort = _state is State.BeforePort or State.BehindColon && kind == TextTokenKind.Word && ushort.TryParse(piece, NumberStyles.None, CultureInfo.InvariantCulture, out port);
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
