using System.Collections.Generic;
using System.CommandLine;
using TcpDiag.Cli.Redaction;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Traces.Redaction;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag redact IN… OUT</c>: traces without payload, names and addresses, for others to analyse.</summary>
static class RedactCommand
{
    public static Command Create()
    {
        var files = new Argument<string[]>("FILE") { Arity = ArgumentArity.OneOrMore, Description = "Traces or bundles to read, then the file to write; for several, a folder. - for standard input and output" };
        var keyFile = new Option<string?>("--key-file") { HelpName = "FILE", Description = "64 hexadecimal digits, kept secret by you: the same names and addresses in every run. Default: a new key that is kept nowhere" };
        var mapPorts = new Option<bool>("--map-ports") { Description = "Replace ports too; the analysis may then take the other side for the client" };
        var dryRun = new Option<bool>("--dry-run") { Description = "Only tell what would be replaced and removed, and which names and addresses" };
        var verify = new Option<bool>("--verify") { Description = "Search the result for every original name and address; exit code 3 if one is found" };
        var overwrite = new Option<bool>("--overwrite") { Description = "Replace a file to be written that is there already" };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/redaction/1)" };
        var command = new Command("redact", "Make traces that may be given away: payload removed, names and addresses replaced") { files, keyFile, mapPorts, dryRun, verify, overwrite, json };
        command.SetAction(parse =>
        {
            using var names = new Pseudonyms(KeyFile.Read(parse.GetValue(keyFile)), parse.GetValue(mapPorts));
            bool isDryRun = parse.GetValue(dryRun);
            List<RedactionTask> tasks = RedactionTask.Plan(parse.GetRequiredValue(files), isDryRun, parse.GetValue(verify), parse.GetValue(overwrite));
            var document = RedactionDocument.From(isDryRun, RedactionTask.Run(tasks, names, parse), names);
            bool isOutputTaken = tasks.Exists(task => task.Output is "-");
            if (parse.GetValue(json) && !isOutputTaken)
            {
                document.Write(parse.InvocationConfiguration.Output);
            }
            else
            {
                RedactionReport.Write(isOutputTaken ? Terminal.Error(parse) : Terminal.Output(parse), document);
            }

            return RedactionTask.ExitCodeOf(document);
        });
        return command;
    }
}
