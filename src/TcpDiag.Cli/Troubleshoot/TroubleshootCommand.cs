using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.IO;
using System.Linq;
using TcpDiag.Cli.Doctor;
using TcpDiag.Doctor;
using TcpDiag.Lab.Peers;
using TcpDiag.Redaction;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary><c>tcpdiag troubleshoot</c>: records while something is slow, and answers in words where it is and what to do.</summary>
sealed class TroubleshootCommand
{
    static readonly TimeSpan Shortest = TimeSpan.FromSeconds(1);
    static readonly TimeSpan Longest = TimeSpan.FromHours(1);

    readonly TargetOptions _target = new();
    readonly PeerOptions _peer = new();
    readonly Option<long?> _upload = new("--upload")
    {
        HelpName = "SIZE",
        Description = "With --url: send so many bytes there (HTTP PUT) instead of fetching it, e.g. 10mb",
        CustomParser = ReadUpload,
    };

    readonly Option<string?> _process = new("--process") { HelpName = "NAME", Description = "The program that is slow (Linux)" };
    readonly Option<string[]> _recorded = new("--recorded")
    {
        HelpName = "FILE",
        Description = "Answer from a trace or bundle instead of recording; of both ends: give both",
        DefaultValueFactory = _ => [],
    };

    readonly Option<bool> _yes = new("--yes", "-y") { Description = "Ask nothing" };
    readonly Option<string?> _out =
        new("--out", "-o") { HelpName = "FOLDER", Description = "Folder for bundle, report and ticket, which must not exist; troubleshoot-TIME if not given" };
    readonly Option<TimeSpan> _limit = new("--limit")
    {
        Description = "Longest duration: 30s, 2min",
        DefaultValueFactory = _ => TimeSpan.FromMinutes(1),
        CustomParser = ReadLimit,
    };

    readonly Option<RedactionCode?> _code = new("--code")
    {
        HelpName = "CODE",
        Description = "The same names in the files of two machines that were given the same code; `new` makes one",
        CustomParser = ReadCode,
    };

    readonly Option<bool> _withNames = new("--with-names") { Description = "Keep names and addresses in the files" };
    readonly Option<string?> _language = Choice.Option("--language", "Language of the answer; the user's if not given", Sentences.Languages);

    readonly Option<int[]> _apply = new("--apply")
    {
        HelpName = "N",
        Description = "With --url: do step N of the answer, measure whether it helps, take it back if not; may be repeated",
        CustomParser = result => Number.ReadAll<int>(result, "the number of a step, from 1 to 99", number => number is >= 1 and <= 99),
    };

    readonly Option<bool> _undo = new("--undo") { Description = "Take back what --apply has changed" };
    readonly Option<bool> _force = new("--force") { Description = "With --undo: also what someone has changed since" };

    public static Command Create()
    {
        var troubleshoot = new TroubleshootCommand();
        var command = new Command("troubleshoot", "Find out why something is slow: records, and answers in words");
        troubleshoot._target.AddTo(command);
        troubleshoot._peer.AddTo(command);
        foreach (Option option in (Option[])
            [
                troubleshoot._upload, troubleshoot._process, troubleshoot._recorded, troubleshoot._yes, troubleshoot._limit, troubleshoot._out,
                    troubleshoot._withNames, troubleshoot._code,
                troubleshoot._apply, troubleshoot._undo, troubleshoot._force, troubleshoot._language,
            ])
        {
            command.Add(option);
        }

        command.Validators.Add(troubleshoot.Validate);
        var elevated = new ElevatedStart(troubleshoot._out, troubleshoot._peer.TokenFile);
        elevated.AddTo(command);
        command.SetAction(parse => elevated.Run(
            parse, Sentences.In(parse.GetValue(troubleshoot._language)), troubleshoot.Elevated(parse), () => troubleshoot.Run(parse)));
        return command;
    }

    // Another user, who may lend the rights, may have another language and another folder. Scripts are asked nothing.
    string[]? Elevated(ParseResult parse)
    {
        bool isRecorded = parse.GetValue(_recorded) is { Length: > 0 };
        return isRecorded || parse.GetValue(_yes) ? null
            :
            [
                .. parse.GetValue(_undo) || parse.GetValue(_out) is not null ? (string[])[] : [_out.Name, Path.GetFullPath(UsualFolder())],
                .. parse.GetValue(_language) is null ? [_language.Name, Sentences.In(null).Language] : (string[])[],
            ];
    }

    static string UsualFolder() => FormattableString.Invariant($"troubleshoot-{TimeProvider.System.GetUtcNow():yyyyMMdd-HHmmss}");

    static long? ReadUpload(ArgumentResult result)
    {
        const long Max = 1L << 30;
        string text = result.Tokens is [var token] ? token.Value : string.Empty;
        if (!QuantityText.TryParseSize(text, out long bytes) || bytes is < 1 or > Max)
        {
            result.AddError($"--upload: expected a size up to 1gib such as 10mb, found '{text}'");
        }

        return bytes;
    }

    static RedactionCode? ReadCode(ArgumentResult result)
    {
        string text = result.Tokens is [var token] ? token.Value : string.Empty;
        RedactionCode? code = text is "new" ? RedactionCode.Random() : RedactionCode.TryParse(text);
        if (code is null)
        {
            result.AddError($"--code: expected new, or a code such as K7QMD-2XWPA-94RTH-CJ6VN, found '{text}'");
        }

        return code;
    }

    static TimeSpan ReadLimit(ArgumentResult result)
    {
        string text = result.Tokens is [var token] ? token.Value : string.Empty;
        if (!QuantityText.TryParseTime(text, out TimeSpan time) || time < Shortest || time > Longest)
        {
            result.AddError($"--limit: expected a time from 1s to 1h, found '{text}'");
        }

        return time;
    }

    void Validate(CommandResult result)
    {
        bool isRecorded = result.GetResult(_recorded) is { Implicit: false };
        Option[] live = [_target.Url, _target.Host, _peer.Speed, _peer.Peer, _code, _upload, _process, _limit, _yes, _out, _withNames];
        if (isRecorded && Array.Find(live, option => result.GetResult(option) is { Implicit: false }) is { } wrong)
        {
            result.AddError($"{wrong.Name} is about what is recorded now, --recorded about what has been: give one of them");
        }

        ValidateChanges(result);
        if (result.GetValue(_upload) is not null && result.GetResult(_target.Url) is null)
        {
            result.AddError("--upload needs --url, which says where to");
        }

        Option[] what = [.. ((Option[])[_target.Url, _target.Host, _peer.Speed, _peer.Peer, _process]).Where(
            option => result.GetResult(option) is { Implicit: false })];
        if (what.Length > 1)
        {
            result.AddError($"{what[0].Name} and {what[1].Name} both say what is slow: give one of them");
        }

        if (result.GetResult(_code) is { Implicit: false } && result.GetValue(_withNames))
        {
            result.AddError("--code is about what stands in place of names, --with-names keeps them: give one of them");
        }
    }

    void ValidateChanges(CommandResult result)
    {
        bool isGiven(Option option) => result.GetResult(option) is { Implicit: false };
        if (result.GetValue(_apply) is { Length: > 0 } steps && !steps.Contains(0) && !isGiven(_undo) && (isGiven(_recorded) || !isGiven(_target.Url)))
        {
            result.AddError("--apply needs --url: it changes this computer, and measures with what it fetches whether that helps");
        }

        if (isGiven(_force) && !isGiven(_undo))
        {
            result.AddError("--force is of --undo");
        }

        Option[] others = [_target.Url, _target.Host, _peer.Speed, _peer.Peer, _code, _upload, _process, _recorded, _limit, _yes, _out, _withNames, _apply];
        if (isGiven(_undo) && Array.Find(others, isGiven) is { } other)
        {
            result.AddError($"--undo takes back what --apply has changed, and nothing else: leave {other.Name} away");
        }
    }

    int Run(ParseResult parse)
    {
        var run = new TroubleshootRun(parse, Sentences.In(parse.GetValue(_language)));
        if (parse.GetValue(_undo))
        {
            return run.Undo(parse.GetValue(_force));
        }

        run.Recover();
        string[] recorded = parse.GetValue(_recorded) ?? [];
        if (recorded.Length > 0)
        {
            return run.Recorded(recorded);
        }

        PeerEndpoint? peer = _peer.Read(parse);
        DoctorTarget? target = peer is null ? _target.Read(parse) : new(peer.Address.Address.ToString(), peer.Address.Port);
        return run.Live(new(target, TargetOptions.ParseUrl(parse.GetValue(_target.Url)), parse.GetValue(_process))
        {
            IsAgreed = parse.GetValue(_yes),
            UploadBytes = parse.GetValue(_upload),
            Peer = peer,
            IsPeerRecording = parse.GetValue(_peer.Peer) is not null,
            Code = parse.GetValue(_code),
            Limit = parse.GetValue(_limit),
            Folder = parse.GetValue(_out) ?? UsualFolder(),
            WithNames = parse.GetValue(_withNames),
            Apply = [.. (parse.GetValue(_apply) ?? []).Distinct()],
        });
    }
}
