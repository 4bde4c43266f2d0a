using System.CommandLine;
using System.IO;
using System.Linq;
using TcpDiag.Scores.Bisections;

namespace TcpDiag.Cli.Bisect;

/// <summary>
/// <c>tcpdiag bisect</c>: which of many builds, settings or drivers, in their order, brought the change? As <c>git bisect</c>, by noisy figures.
/// </summary>
static class BisectCommand
{
    const string UsualFile = "tcpdiag-bisect.json";

    public static Command Create()
    {
        var selfTest = new Option<bool>("--self-test") { Description = "Search through chains of simulated builds whose truth is known" };
        var chains = new Option<int>("--chains")
        {
            Description = "With --self-test: chains of each kind",
            DefaultValueFactory = _ => 200,
            CustomParser = result => Number.Read<int>(result, "1 to 100000", number => number is >= 1 and <= 100_000),
        };
        var command = new Command("bisect", "Find the first of many builds, settings or drivers that changed the goodput")
        {
            selfTest,
            chains,
            CreateStart(),
            CreateMeasuring("next", "Measure one step", isOneStep: true),
            CreateMeasuring("run", "Measure until it is found", isOneStep: false),
            CreateGiving("good", "Say that an item is good", BisectVerdict.Good),
            CreateGiving("bad", "Say that an item is bad", BisectVerdict.Bad),
            CreateGiving("skip", "Leave out an item that cannot be tested", BisectVerdict.Skip),
            CreateLog(),
            CreateReset(),
        };
        command.SetAction(parse => parse.GetValue(selfTest)
            ? BisectTrials.Run(parse.InvocationConfiguration.Output, parse.GetValue(chains), ((Invocation)parse.InvocationConfiguration).Interruption)
            : Missing(parse, command));
        return command;
    }

    static int Missing(ParseResult parse, Command command)
    {
        Failure.Report(
            parse.InvocationConfiguration.Error,
            $"A command is missing: {string.Join(", ", command.Subcommands.Select(child => child.Name))}; or --self-test.");
        parse.InvocationConfiguration.Error.WriteLine("Help: tcpdiag bisect --help");
        return ExitCode.Usage;
    }

    static Command CreateStart()
    {
        BisectStartArguments arguments = new();
        Option<string> file = FileOption();
        var command = new Command("start", "Begin a search; behind -- stands the command that measures an item");
        arguments.AddTo(command);
        command.Add(file);
        command.SetAction(parse =>
        {
            BisectJournal journal = arguments.Read(parse);
            using BisectFile created = BisectFile.Create(parse.GetValue(file)!, journal);
            BisectText.WritePlan(parse.InvocationConfiguration.Output, journal, parse.GetValue(file)!);
            BisectText.WriteState(parse.InvocationConfiguration.Output, journal, Bisection.Of(journal));
            return ExitCode.Done;
        });
        return command;
    }

    static Command CreateMeasuring(string name, string description, bool isOneStep)
    {
        Option<string> file = FileOption();
        Option<int?> maxPairs = BisectStartArguments.MaxPairsOption();
        var command = new Command(name, description) { maxPairs, file };
        command.SetAction(parse => Measure(parse, parse.GetValue(file)!, parse.GetValue(maxPairs), isOneStep));
        return command;
    }

    static int Measure(ParseResult parse, string path, int? maxPairs, bool isOneStep)
    {
        (BisectFile file, BisectJournal journal) = BisectFile.Open(path);
        using (file)
        {
            journal = journal with { MaxPairs = maxPairs ?? journal.MaxPairs };
            TextWriter output = parse.InvocationConfiguration.Output;
            if (journal.Command.Count == 0)
            {
                BisectText.WriteState(output, journal, Bisection.Of(journal));
                return isOneStep ? ExitCode.Done : throw new BisectException($"{path}: has no command to run: it was started without one behind --.");
            }

            BisectDriver driver = new(file, journal, output, parse.InvocationConfiguration.Error);
            Bisection search = driver.Run(isOneStep, ((Invocation)parse.InvocationConfiguration).Interruption);
            return search.Status is BisectStatus.NoDifference or BisectStatus.Undecided ? ExitCode.CheckFailed : ExitCode.Done;
        }
    }

    static Command CreateGiving(string name, string description, BisectVerdict verdict)
    {
        var item = new Argument<string?>("ITEM") { Arity = ArgumentArity.ZeroOrOne, Description = "Which; the one under test if not given" };
        Option<string> file = FileOption();
        var command = new Command(name, description) { item, file };
        command.SetAction(parse => Give(parse, parse.GetValue(file)!, parse.GetValue(item), verdict));
        return command;
    }

    static int Give(ParseResult parse, string path, string? named, BisectVerdict verdict)
    {
        (BisectFile file, BisectJournal journal) = BisectFile.Open(path);
        using (file)
        {
            Bisection search = Bisection.Of(journal);
            string item = named ?? search.Current ?? journal.Items[^1];
            if (search.FindObjection(item, verdict) is { } objection)
            {
                throw new BisectException(objection);
            }

            BisectJournal next = journal.With(item, verdict);
            file.Write(next);
            BisectText.WriteState(parse.InvocationConfiguration.Output, next, Bisection.Of(next));
            return ExitCode.Done;
        }
    }

    static Command CreateLog()
    {
        Option<string> file = FileOption();
        var json = new Option<bool>("--json") { Description = "Print the journal (schema tcpdiag/bisect/1)" };
        var command = new Command("log", "Show what was done, and how it stands") { json, file };
        command.SetAction(parse =>
        {
            string path = parse.GetValue(file)!;
            BisectJournal journal = BisectFile.Read(path);
            if (parse.GetValue(json))
            {
                parse.InvocationConfiguration.Output.WriteLine(BisectFile.Text(journal));
            }
            else
            {
                BisectText.WriteLog(parse.InvocationConfiguration.Output, journal, path);
            }

            return ExitCode.Done;
        });
        return command;
    }

    static Command CreateReset()
    {
        Option<string> file = FileOption();
        var command = new Command("reset", "End a search and remove its journal") { file };
        command.SetAction(parse =>
        {
            BisectFile.Remove(parse.GetValue(file)!);
            return ExitCode.Done;
        });
        return command;
    }

    static Option<string> FileOption() => new("--journal") { Description = "The file that holds the search", DefaultValueFactory = _ => UsualFile };
}
