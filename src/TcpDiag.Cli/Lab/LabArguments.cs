using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.IO;
using System.Security.Cryptography;
using TcpDiag.Cli.Shim;
using TcpDiag.Cli.Store;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Lab;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Peers;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;

namespace TcpDiag.Cli.Lab;

/// <summary>The options of <c>tcpdiag lab run</c>.</summary>
sealed class LabArguments
{
    readonly Argument<string> _matrix = new("MATRIX")
    {
        Description = "smoke, limits, varied, peer, s1, s2, s2-reorder, s2-late, s3, s4, wan, or a YAML file",
        DefaultValueFactory = _ => "smoke",
    };

    readonly Option<double> _scale = new("--scale")
    {
        Description = "Shorten flows to this part, e.g. 0.1",
        DefaultValueFactory = _ => 1,
        CustomParser = result => Number.Read<double>(result, "a number above 0 and at most 1", number => number is > 0 and <= 1),
    };

    readonly Option<int?> _iterations = new("--iterations")
    {
        Description = "Instead of what the matrix says",
        CustomParser = result => Number.Read<int>(result, "1 to 1000", number => number is >= 1 and <= 1000),
    };

    readonly Option<int> _retries = new("--retries")
    {
        Description = "How often a void run is repeated",
        DefaultValueFactory = _ => 2,
        CustomParser = result => Number.Read<int>(result, "0 to 100", number => number is >= 0 and <= 100),
    };

    readonly Option<int> _jobs = new("--jobs")
    {
        Description = "How many runs at once; they disturb each other's figures",
        DefaultValueFactory = _ => 1,
        CustomParser = result => Number.Read<int>(result, "1 to 16", number => number is >= 1 and <= 16),
    };

    readonly Option<string?> _peer = new("--peer") { Description = "HOST:PORT of a tcpdiag lab serve that receives, over the path that there is" };

    readonly Option<OwnEnds?> _ends = new("--ends")
    {
        Description = "Windows: two addresses of this machine, where no other receives; 127.0.0.1+127.0.0.2 if not given",
        CustomParser = ParseEnds,
    };

    readonly Option<string?> _driver = new("--driver") { Description = "Windows: the folder of WinDivert, by which a path between --ends is emulated" };

    readonly Option<string?> _tokenFile = LabServeArguments.TokenFile();

    readonly Option<string?> _middle =
        new("--middle") { Description = "HOST:PORT of a tcpdiag lab serve --bridge or --route, which emulates the path between" };

    readonly Option<bool> _resume = new("--resume")
    {
        Description = "After an upgrade of this machine: keep what --out holds of the other build, and run the same beside it",
    };

    readonly Option<string?> _out = new("--out", "-o") { Description = "Result directory; one that was interrupted is continued. lab-NAME-TIME if not given" };

    readonly Option<ulong> _seed = new("--seed")
    {
        Description = "Seed of every random decision",
        DefaultValueFactory = _ => 1,
        CustomParser = Number.ReadSeed,
    };

    readonly UntilDecidedOptions _untilDecided = new();

    /// <summary>The store in which the runs are kept.</summary>
    public Option<string?> Store { get; } = StoreOptions.Besides();

    /// <summary>Whether to print JSON.</summary>
    public Option<bool> Json { get; } = new("--json") { Description = "Print one JSON document (schema tcpdiag/lab/1)" };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_matrix);
        _matrix.Validators.Add(ValidateMatrix);
        _peer.Validators.Add(LabServeArguments.ValidateAddress);
        _peer.Validators.Add(ValidatePeer);
        Array.ForEach<Option>([_scale, _iterations], command.Add);
        _untilDecided.AddTo(command, _iterations);
        _middle.Validators.Add(LabServeArguments.ValidateAddress);
        _middle.Validators.Add(RequirePeer);
        Array.ForEach<Option>([_retries, _jobs, _peer, _middle, _tokenFile, _resume, _ends, _driver, _out, _seed, Json, Store], command.Add);
    }

    /// <summary>What the command line asks for.</summary>
    /// <exception cref="LabException">Options that exclude each other.</exception>
    public LabRunSettings Read(ParseResult parse)
    {
        string name = parse.GetValue(_matrix)!;
        LabMatrix matrix = MatrixReader.Read(name, MatrixPresets.FindText(name) ?? File.ReadAllText(name));
        matrix = matrix with { Iterations = parse.GetValue(_iterations) ?? matrix.Iterations };
        string folder = parse.GetValue(_out) ?? FormattableString.Invariant($"lab-{matrix.Name}-{TimeProvider.System.GetUtcNow():yyyyMMdd-HHmmss}");
        PeerEndpoint? peer = Endpoint(parse, _peer);
        OwnEnds? ends = ReadEnds(parse, peer);
        int jobs = parse.GetValue(_jobs);
        (matrix, StoppingRule? until) = _untilDecided.Read(parse, matrix, folder);
        return jobs > 1 && (peer is not null || ends is not null)
            ? throw new LabException("--jobs: a peer receives one run at a time.")
            : new LabRunSettings(matrix, parse.GetValue(_seed), parse.GetValue(_scale), parse.GetValue(_retries), jobs, folder, peer, Program(parse), ends)
            {
                Until = until,
                OpenMachine = ((Invocation)parse.InvocationConfiguration).Surroundings.OpenMachine,
                Middle = Endpoint(parse, _middle),
                IsResumed = parse.GetValue(_resume),
            };
    }

    /// <summary>The receiving half of this machine, where it is its own peer.</summary>
    /// <returns>The peer, which serves until it is disposed of; null where another machine, or a namespace, receives.</returns>
    public OwnPeer? OpenOwnPeer(ParseResult parse, LabRunSettings settings) => settings.Ends is not { } ends
        ? null
        : new OwnPeer(ends, new PeerStart(
        settings.Program, parse.GetValue(_driver) is { } driver ? ["--driver", driver] : [])
        { OpenMachine = settings.OpenMachine });

    OwnEnds? ReadEnds(ParseResult parse, PeerEndpoint? peer) => (OperatingSystem.IsLinux(), parse.GetValue(_ends)) switch
    {
        (true, not null) => throw new LabException("--ends: Linux makes two namespaces to send between; --ends is for a system without them."),
        (false, not null) when peer is not null => throw new LabException("--ends and --peer: either this machine receives or another."),
        (false, var ends) when peer is null => ends ?? OwnEnds.Read("127.0.0.1+127.0.0.2"),
        _ => null,
    };

    static OwnEnds? ParseEnds(ArgumentResult result)
    {
        try
        {
            return OwnEnds.Read(result.Tokens.Count > 0 ? result.Tokens[0].Value : string.Empty);
        }
        catch (LabException exception)
        {
            result.AddError(exception.Message);
            return null;
        }
    }

    static LabProgram Program(ParseResult parse) => ((Invocation)parse.InvocationConfiguration).Surroundings.Program;

    PeerEndpoint? Endpoint(ParseResult parse, Option<string?> option) => (parse.GetValue(option), parse.GetValue(_tokenFile)) switch
    {
        (null, _) => null,
        ({ } address, var file) => new PeerEndpoint(PeerEndpoint.ReadAddress(address), LabServeArguments.ReadToken(file!)),
    };

    static void ValidateMatrix(ArgumentResult result)
    {
        string name = result.GetValueOrDefault<string>();
        if (MatrixPresets.FindText(name) is null && !File.Exists(name))
        {
            result.AddError($"MATRIX: expected one of {string.Join(", ", MatrixPresets.Names)}, or a YAML file; found '{name}'");
        }
    }

    void RequirePeer(OptionResult result)
    {
        if (result.GetValue(_peer) is null && PeerEndpoint.IsAddress(result.GetValueOrDefault<string>()))
        {
            result.AddError("--middle: a machine in the middle is between this one and a peer: --peer HOST:PORT");
        }
    }

    void ValidatePeer(OptionResult result)
    {
        if (result.GetValue(_tokenFile) is null)
        {
            result.AddError("--peer: the secret of lab serve is needed too: --token-file FILE");
        }
    }
}

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

    readonly Option<string[]> _bridge = ShimArguments.Pair(
        "--bridge", "In the middle, receive nothing: pass frames between these two interfaces, the sender's first, through the path of lab run --middle");

    readonly Option<string[]> _route = ShimArguments.Pair("--route", "In the middle: the same with what this machine forwards between them");

    readonly Option<int> _senders = new("--senders")
    {
        Description = "From how many machines runs come in turn: A B A B",
        DefaultValueFactory = _ => 1,
        CustomParser = result => Number.Read<int>(result, "1 to 16", number => number is >= 1 and <= 16),
    };

    /// <summary>The option that names a file with a token in it: on a command line everybody could read it.</summary>
    public static Option<string?> TokenFile() => new("--token-file") { Description = "File with the secret that both machines know, at least 8 characters" };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        _listen.Validators.Add(ValidateAddress);
        _bridge.Validators.Add(result => RefuseTwoPlaces(result));
        Array.ForEach<Option>([_listen, _tokenFile, _senders, _bridge, _route, _maxBytes, _maxTime, _for, _driver], command.Add);
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
    public TimeSpan ReadDuration(ParseResult parse) => ReadTime(parse, _for);

    /// <summary>The secret: that of the file, else a new one.</summary>
    /// <returns>The secret, and whether it is new.</returns>
    /// <exception cref="LabException">The file holds none.</exception>
    public (string Token, bool IsNew) ReadToken(ParseResult parse) => parse.GetValue(_tokenFile) is { } file
        ? (ReadToken(file), false)
        : (Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(TokenBytes)), true);

    /// <summary>Reads a secret from a file.</summary>
    /// <returns>Its text without white space around it.</returns>
    /// <exception cref="LabException">It is too short.</exception>
    public static string ReadToken(string file) => File.ReadAllText(file).Trim() is { Length: >= MinTokenCharacters } token
        ? token
        : throw new LabException($"{file}: expected a secret of at least 8 characters.");

    /// <summary>Begins to listen.</summary>
    public PeerServer Open(ParseResult parse, string token) => new(
        PeerEndpoint.ReadAddress(parse.GetValue(_listen)!),
        token,
        new PeerCaps(ImpairmentOptionsParser.ReadBytes("--max-bytes", parse.GetValue(_maxBytes)!), ReadTime(parse, _maxTime)),
        new PeerStart(((Invocation)parse.InvocationConfiguration).Surroundings.Program, parse.GetValue(_driver) is { } driver ? ["--driver", driver] : [])
        {
            OpenMachine = ((Invocation)parse.InvocationConfiguration).Surroundings.OpenMachine,
            Middle = [.. Words(parse, _bridge), .. Words(parse, _route)],
        })
    {
        Senders = parse.GetValue(_senders),
    };

    static IEnumerable<string> Words(ParseResult parse, Option<string[]> option) =>
        parse.GetValue(option) is { Length: > 0 } pair ? [option.Name, .. pair] : [];

    void RefuseTwoPlaces(OptionResult result)
    {
        if (result.GetValue(_route) is { Length: > 0 })
        {
            result.AddError("--bridge and --route: a machine in the middle does one of them");
        }
    }

    static TimeSpan ReadTime(ParseResult parse, Option<string> option) =>
        TimeSpan.FromTicks(ImpairmentOptionsParser.ReadTime(option.Name, parse.GetValue(option)!) / 100);
}
