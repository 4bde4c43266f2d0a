using System;
using TcpDiag.Cli.Doctor;
using TcpDiag.Cli.Explain;
using TcpDiag.Doctor;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>The two questions to whoever named nothing that is slow: what it is, and whether it is so right now.</summary>
/// <param name="sentences">The language.</param>
/// <param name="invocation">Where they are asked and answered.</param>
sealed class Questions(Sentences sentences, Invocation invocation)
{
    /// <summary>Asks, unless it is known or nobody is to be asked.</summary>
    /// <param name="request">What was asked for.</param>
    /// <returns>The same with the answers; no answer is everything, done by the user.</returns>
    public LiveRequest Ask(LiveRequest request)
    {
        if (request is not { IsAgreed: false, Target: null, Process: null, Peer: null })
        {
            return request;
        }

        (DoctorTarget? target, Uri? url) = AskWhat();
        return url is null
            ? request with { Target = target, IsHappening = IsYes("ask.now") }
            : request with { Target = target, Url = url };
    }

    /// <summary>Asks a question for yes or no; no answer is no.</summary>
    /// <param name="question">The name of the sentence.</param>
    public bool IsYes(string question)
    {
        string answer = Answer(question) ?? string.Empty;
        return answer.StartsWith(sentences.Of("ask.yes"), StringComparison.OrdinalIgnoreCase) || answer.StartsWith('y');
    }

    (DoctorTarget? Target, Uri? Url) AskWhat()
    {
        while (Answer("ask.what") is { Length: > 0 } answer)
        {
            if (TargetOptions.ParseUrl(answer) is { } url)
            {
                return (new(url.DnsSafeHost, url.Port), url);
            }

            if (TargetOptions.ParseHost(answer) is { } host)
            {
                return (host, null);
            }

            PlainMarkdown.Write(invocation.Error, sentences.Of("ask.what.wrong", answer));
        }

        return default;
    }

    // Null where the input is at its end.
    string? Answer(string question)
    {
        invocation.Error.Write(sentences.Of(question));
        invocation.Error.Flush();
        return invocation.Surroundings.Input.ReadLine()?.Trim();
    }
}
