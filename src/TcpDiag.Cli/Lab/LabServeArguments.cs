using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.IO;
using System.Security.Cryptography;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Lab;
using TcpDiag.Lab.Peers;

namespace TcpDiag.Cli.Lab;

/// <summary>The options of <c>tcpdiag lab serve</c>, and those of a token.</summary>
sealed class LabServeArguments
{
    const int MinTokenCharacters = 8;
    const int TokenBytes = 16;

    readonly Option<string> _listen = new("--listen") { Description = "Address and port to listen at", DefaultValueFactory = _ => "127.0.0.1:5202" };

    readonly Option<string> _maxBytes = new("--max-bytes") { Description = "Most bytes of a run", DefaultValueFactory = _ => "1gib" };

    readonly Option<string> _maxTime = new("--max-time") { Description = "Longest run", DefaultValueFactory = _ => "5min" };

    readonly Option<string> _for = new("--for") { Description = "Ends by itself after so long", DefaultValueFactory = _ => "60min" };

    readonly Option<string?> _driver = new("--driver") { Description = "Windows: the folder of WinDivert, by which a path is emulated here" };

    readonly Option<string?> _tokenFile = TokenFile();

    /// <summary>The option that names a file with a token in it: on a command line everybody could read it.</summary>
    /// <returns>A new option.</returns>
    public static Option<string?> TokenFile() => new("--token-file") { Description = "File with the secret that both machines know, at least 8 characters" };

    /// <summary>Adds the options to a command.</summary>
    /// <param name="command">The command.</param>
    public void AddTo(Command command)
    {
        _listen.Validators.Add(ValidateAddress);
        Array.ForEach<Option>([_listen, _tokenFile, _maxBytes, _maxTime, _for, _driver], command.Add);
    }

    /// <summary>Refuses what is no address with a port.</summary>
    /// <param name="result">An option whose value is one.</param>
    public static void ValidateAddress(OptionResult result)
    {
        string text = result.GetValueOrDefault<string>();
        if (!PeerEndpoint.IsAddress(text))
        {
            result.AddError($"{result.Option.Name}: expected {PeerEndpoint.Form}, found '{text}'");
        }
    }

    /// <summary>How long to serve.</summary>
    /// <param name="parse">A command line without errors.</param>
    /// <returns>The time.</returns>
    public TimeSpan ReadDuration(ParseResult parse) => ReadTime(parse, _for);

    /// <summary>The secret: that of the file, else a new one.</summary>
    /// <param name="parse">A command line without errors.</param>
    /// <returns>The secret, and whether it is new.</returns>
    /// <exception cref="LabException">The file holds none.</exception>
    public (string Token, bool IsNew) ReadToken(ParseResult parse) => parse.GetValue(_tokenFile) is { } file
        ? (ReadToken(file), false)
        : (Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(TokenBytes)), true);

    /// <summary>Reads a secret from a file.</summary>
    /// <param name="file">The file.</param>
    /// <returns>Its text without white space around it.</returns>
    /// <exception cref="LabException">It is too short.</exception>
    public static string ReadToken(string file) => File.ReadAllText(file).Trim() is { Length: >= MinTokenCharacters } token
        ? token
        : throw new LabException($"{file}: expected a secret of at least 8 characters.");

    /// <summary>Begins to listen.</summary>
    /// <param name="parse">A command line without errors.</param>
    /// <param name="token">The secret.</param>
    /// <returns>The server.</returns>
    public PeerServer Open(ParseResult parse, string token) => new(
        PeerEndpoint.ReadAddress(parse.GetValue(_listen)!),
        token,
        new PeerCaps(ImpairmentOptionsParser.ReadBytes("--max-bytes", parse.GetValue(_maxBytes)!), ReadTime(parse, _maxTime)),
        new PeerStart(((Invocation)parse.InvocationConfiguration).Surroundings.Program, parse.GetValue(_driver) is { } driver ? ["--driver", driver] : []));

    static TimeSpan ReadTime(ParseResult parse, Option<string> option) =>
        TimeSpan.FromTicks(ImpairmentOptionsParser.ReadTime(option.Name, parse.GetValue(option)!) / 100);
}
