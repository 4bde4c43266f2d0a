using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.IO;
using TcpDiag.Cli.Lab;
using TcpDiag.Lab;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;

namespace TcpDiag.Cli.Simulate;

/// <summary>The options of <c>tcpdiag simulate</c>.</summary>
sealed class SimulateArguments
{
    const int OldestBuild = 10_240;
    const int NewestBuild = 99_999;

    readonly Argument<string> _matrix = new("MATRIX")
    {
        Description = "smoke, limits, varied, peer, s1, s2, s2-reorder, s2-late, s3, s4, wan, or a YAML file",
        DefaultValueFactory = _ => "smoke",
    };

    readonly Option<int?> _build = Build("--build", "The sender is Windows of this build, e.g. 22000, on every side");

    readonly Option<int?> _receiverBuild = Build("--receiver-build", "The receiver is Windows of this build; Linux if not given");

    readonly Option<string?> _stack = new("--stack") { Description = "The sender of every side: rfc, reno, or a stack of lab run such as fixed" };

    readonly Option<bool> _etl = new("--etl")
    {
        Description = "Beside the .pcapng also sender.etl of --build and receiver.etl of --receiver-build, with the events of that build",
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

    readonly Option<string?> _out =
        new("--out", "-o") { Description = "Result directory; one that was interrupted is continued. simulate-NAME-TIME if not given" };

    readonly Option<ulong> _seed = new("--seed")
    {
        Description = "Seed of every random decision",
        DefaultValueFactory = _ => 1,
        CustomParser = Number.ReadSeed,
    };

    readonly UntilDecidedOptions _untilDecided = new();

    /// <summary>Whether to print JSON.</summary>
    public Option<bool> Json { get; } = new("--json") { Description = "Print one JSON document (schema tcpdiag/lab/1)" };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_matrix);
        _matrix.Validators.Add(ValidateMatrix);
        _stack.Validators.Add(ValidateStack);
        Array.ForEach<Option>([_build, _stack, _receiverBuild, _etl, _scale, _iterations], command.Add);
        _untilDecided.AddTo(command, _iterations);
        Array.ForEach<Option>([_out, _seed, Json], command.Add);
    }

    /// <summary>What the command line asks for.</summary>
    /// <exception cref="LabException">Options that exclude each other.</exception>
    public SimulatedExperiment Read(ParseResult parse)
    {
        string name = parse.GetValue(_matrix)!;
        LabMatrix matrix = MatrixReader.Read(name, MatrixPresets.FindText(name) ?? File.ReadAllText(name));
        matrix = matrix with { Iterations = parse.GetValue(_iterations) ?? matrix.Iterations };
        string folder = parse.GetValue(_out) ?? FormattableString.Invariant($"simulate-{matrix.Name}-{TimeProvider.System.GetUtcNow():yyyyMMdd-HHmmss}");
        (matrix, StoppingRule? until) = _untilDecided.Read(parse, matrix, folder);
        return new SimulatedExperiment(matrix, parse.GetValue(_seed), parse.GetValue(_scale), folder, ReadSender(parse), ReadReceiver(parse))
        {
            Until = until,
            SenderEtlBuild = EtlBuild(parse, _build),
            ReceiverEtlBuild = EtlBuild(parse, _receiverBuild),
        };
    }

    int? EtlBuild(ParseResult parse, Option<int?> build)
    {
        if (parse.GetValue(_etl) && (parse.GetValue(_build) ?? parse.GetValue(_receiverBuild)) is null)
        {
            throw new LabException("--etl: only Windows writes such files. Say which build sends (--build) or receives (--receiver-build).");
        }

        return parse.GetValue(_etl) ? parse.GetValue(build) : null;
    }

    SenderTraits? ReadSender(ParseResult parse) => (parse.GetValue(_build), parse.GetValue(_stack)) switch
    {
        (not null, not null) => throw new LabException("--build and --stack: a sender is one of them."),
        ({ } build, null) => SenderVariants.FindBuild(build),
        (null, { } stack) => SenderVariants.Find(stack),
        _ => null,
    };

    ReceiverTraits? ReadReceiver(ParseResult parse) => parse.GetValue(_receiverBuild) is { } build ? ReceiverVariants.Windows(build) : null;

    static Option<int?> Build(string name, string description) => new(name)
    {
        Description = description,
        CustomParser = result => Number.Read<int>(result, "a build from 10240 to 99999", build => build is >= OldestBuild and <= NewestBuild),
    };

    static void ValidateMatrix(ArgumentResult result)
    {
        string name = result.GetValueOrDefault<string>();
        if (MatrixPresets.FindText(name) is null && !File.Exists(name))
        {
            result.AddError($"MATRIX: expected one of {string.Join(", ", MatrixPresets.Names)}, or a YAML file; found '{name}'");
        }
    }

    static void ValidateStack(OptionResult result)
    {
        if (result.GetValueOrDefault<string>() is { } name && SenderVariants.Find(name) is null)
        {
            result.AddError($"--stack: expected one of {string.Join(", ", SenderVariants.Names)}; found '{name}'");
        }
    }
}
