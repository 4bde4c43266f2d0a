using System.CommandLine;
using System.CommandLine.Parsing;
using TcpDiag.Cli.Lab;
using TcpDiag.Lab.Peers;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary><c>--speed</c> and <c>--peer</c>: a machine that runs <c>lab serve</c>, to and from which data is sent.</summary>
sealed class PeerOptions
{
    const string ServePort = ":5202"; // of lab serve, if it is given none

    /// <summary>The secret of that machine.</summary>
    public Option<string?> TokenFile { get; } = LabServeArguments.TokenFile();

    /// <summary>Transfers alone.</summary>
    public Option<string?> Speed { get; } = new("--speed")
    {
        HelpName = "HOST[:PORT]",
        Description = "Send to and from this machine, which runs `tcpdiag lab serve`; port 5202 if not given",
    };

    /// <summary>Transfers that the other machine records too.</summary>
    public Option<string?> Peer { get; } =
        new("--peer") { HelpName = "HOST[:PORT]", Description = "As --speed, and the other machine records too: seen from both ends" };

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (Option<string?> option in (Option<string?>[])[Speed, Peer])
        {
            option.Validators.Add(result => Validate(result, result.GetValueOrDefault<string?>() ?? string.Empty));
            command.Add(option);
        }

        command.Add(TokenFile);
        command.Validators.Add(result =>
        {
            bool isAsked = (result.GetResult(Speed) ?? result.GetResult(Peer)) is not null;
            if (isAsked != result.GetResult(TokenFile) is { Implicit: false })
            {
                result.AddError(isAsked ? "the secret of lab serve is needed too: --token-file FILE" : "--token-file is of --speed and --peer");
            }
        });
    }

    /// <summary>The other machine; null where none was named.</summary>
    /// <exception cref="TcpDiag.Lab.LabException">There is no such machine.</exception>
    public PeerEndpoint? Read(ParseResult parse) => (parse.GetValue(Speed) ?? parse.GetValue(Peer)) is { } host
        ? new(PeerEndpoint.ReadAddress(WithPort(host)), LabServeArguments.ReadToken(parse.GetValue(TokenFile)!))
        : null;

    static void Validate(OptionResult result, string text)
    {
        if (!PeerEndpoint.IsAddress(WithPort(text)))
        {
            result.AddError($"{result.Option.Name}: expected HOST or {PeerEndpoint.Form}, found '{text}'");
        }
    }

    static string WithPort(string host) => PeerEndpoint.IsAddress(host) ? host : host + ServePort;
}
