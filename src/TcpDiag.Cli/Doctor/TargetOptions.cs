using System;
using System.CommandLine;
using System.Globalization;
using System.Linq;
using TcpDiag.Doctor;

namespace TcpDiag.Cli.Doctor;

/// <summary><c>--host</c> and <c>--url</c>: what connections are slow to.</summary>
sealed class TargetOptions
{
    const int HttpsPort = 443;

    /// <summary>A web address.</summary>
    public Option<string?> Url { get; } = new("--url") { HelpName = "URL", Description = "What is slow, e.g. https://example.org/file" };

    /// <summary>A host, with or without a port.</summary>
    public Option<string?> Host { get; } =
        new("--host") { HelpName = "HOST[:PORT]", Description = "What is slow, where it is no web address; port 443 if not given" };

    /// <summary>Adds both to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(Url);
        command.Add(Host);
        Url.Validators.Add(result =>
        {
            if (ParseUrl(result.GetValueOrDefault<string?>()) is null)
            {
                result.AddError($"--url: expected http://… or https://…, found '{result.GetValueOrDefault<string?>()}'");
            }
        });
        Host.Validators.Add(result =>
        {
            if (ParseHost(result.GetValueOrDefault<string?>()) is null)
            {
                result.AddError($"--host: expected HOST, HOST:PORT or [IPV6]:PORT, found '{result.GetValueOrDefault<string?>()}'");
            }
        });
        command.Validators.Add(result =>
        {
            if (result.GetResult(Url) is not null && result.GetResult(Host) is not null)
            {
                result.AddError("--url and --host both say what is slow: give one of them");
            }
        });
    }

    /// <summary>The host asked about; null for none.</summary>
    public DoctorTarget? Read(ParseResult parse) => parse.GetValue(Url) is { } url && ParseUrl(url) is { } uri
        ? new(uri.DnsSafeHost, uri.Port)
        : ParseHost(parse.GetValue(Host));

    /// <summary>Reads a web address.</summary>
    /// <returns>Null when it is none.</returns>
    public static Uri? ParseUrl(string? text) =>
        Uri.TryCreate(text, UriKind.Absolute, out Uri? uri) && uri.Scheme is ("http" or "https") ? uri : null;

    /// <summary>Reads a host, with or without a port; with two colons or more it is an IPv6 address without one, unless that stands in brackets.</summary>
    /// <returns>Null when it is none.</returns>
    public static DoctorTarget? ParseHost(string? text)
    {
        if (string.IsNullOrEmpty(text) || !text.All(IsOfHost))
        {
            return null;
        }

        if (text[0] is '[')
        {
            int end = text.IndexOf(']', StringComparison.Ordinal);
            return end < 2 ? null : text.Length == end + 1 ? new(text[1..end], HttpsPort) : text[end + 1] is ':' ? WithPort(text[1..end], text[(end + 2)..])
                : null;
        }

        int colon = text.IndexOf(':', StringComparison.Ordinal);
        return colon < 0 || colon != text.LastIndexOf(':') ? new(text, HttpsPort) : WithPort(text[..colon], text[(colon + 1)..]);
    }

    // Letters of any language, and the zone of a link-local address.
    static bool IsOfHost(char letter) => char.IsLetterOrDigit(letter) || letter is '.' or '-' or '_' or ':' or '[' or ']' or '%';

    static DoctorTarget? WithPort(string host, string port) =>
        host.Length > 0 && ushort.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out ushort number) && number > 0 ? new(host, number) : null;
}
