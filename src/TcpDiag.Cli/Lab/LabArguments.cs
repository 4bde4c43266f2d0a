using System;
using System.CommandLine;
using System.IO;
using TcpDiag.Lab;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Peers;

namespace TcpDiag.Cli.Lab;

/// <summary>The options of <c>tcpdiag lab run</c>.</summary>
sealed class LabArguments
{
    readonly Argument<string> _matrix = new("MATRIX") { Description = "smoke, limits, varied, peer, s1, s2, s2-reorder, s2-late, s3, s4, wan, or a YAML file", DefaultValueFactory = _ => "smoke" };

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

    readonly Option<string?> _tokenFile = LabServeArguments.TokenFile();

    readonly Option<string?> _out = new("--out", "-o") { Description = "Result directory; one that was interrupted is continued. lab-NAME-TIME if not given" };

    readonly Option<ulong> _seed = new("--seed")
    {
        Description = "Seed of every random decision",
        DefaultValueFactory = _ => 1,
        CustomParser = Number.ReadSeed,
    };

    /// <summary>Whether to print JSON.</summary>
    public Option<bool> Json { get; } = new("--json") { Description = "Print one JSON document (schema tcpdiag/lab/1)" };

    /// <summary>Adds the options to a command.</summary>
    /// <param name="command">The command.</param>
    public void AddTo(Command command)
    {
        command.Add(_matrix);
        Array.ForEach<Option>([_scale, _iterations, _retries, _jobs, _peer, _tokenFile, _out, _seed, Json], command.Add);
    }

    /// <summary>What the command line asks for.</summary>
    /// <param name="parse">A command line without errors.</param>
    /// <returns>The settings.</returns>
    public LabRunSettings Read(ParseResult parse)
    {
        string name = parse.GetValue(_matrix)!;
        LabMatrix matrix = MatrixReader.Read(name, MatrixPresets.FindText(name) ?? File.ReadAllText(name));
        matrix = matrix with { Iterations = parse.GetValue(_iterations) ?? matrix.Iterations };
        string folder = parse.GetValue(_out) ?? FormattableString.Invariant($"lab-{matrix.Name}-{TimeProvider.System.GetUtcNow():yyyyMMdd-HHmmss}");
        return new LabRunSettings(matrix, parse.GetValue(_seed), parse.GetValue(_scale), parse.GetValue(_retries), parse.GetValue(_jobs), folder, ReadPeer(parse), OwnProgram.Start);
    }

    PeerEndpoint? ReadPeer(ParseResult parse) => (parse.GetValue(_peer), parse.GetValue(_tokenFile)) switch
    {
        (null, _) => null,
        ({ } address, { } file) => new PeerEndpoint(PeerEndpoint.ReadAddress(address), LabServeArguments.ReadToken(file)),
        _ => throw new LabException("--peer: the secret of lab serve is needed too: --token-file FILE."),
    };
}
