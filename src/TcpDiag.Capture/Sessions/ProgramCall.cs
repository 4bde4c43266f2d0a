using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Capture.Sessions;

/// <summary>A program of the system with its arguments.</summary>
/// <param name="Program">Its name without folder and extension, e.g. <c>netsh</c>.</param>
/// <param name="Arguments">One entry per argument, not quoted.</param>
public sealed record ProgramCall(string Program, IReadOnlyList<string> Arguments)
{
    // Parentheses, commas and the like are read by PowerShell unless quoted.
    static readonly SearchValues<char> Quoted = SearchValues.Create(" (),;&");

    /// <summary>Whether it prints UTF-8, because its arguments tell it to; else it prints in the language of the machine, as programs do to a console.</summary>
    public bool PrintsUtf8 { get; init; }

    /// <summary>Creates a call.</summary>
    /// <param name="program">The program's name.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <returns>The call.</returns>
    public static ProgramCall Of(string program, params IEnumerable<string> arguments) => new(program, [.. arguments]);

    /// <summary>The line as it is typed into cmd.exe or PowerShell.</summary>
    /// <returns>E.g. <c>netsh trace start "tracefile=C:\a b.etl"</c>.</returns>
    public override string ToString() => string.Join(' ', Arguments.Select(Quote).Prepend(Program));

    static string Quote(string argument) => argument.AsSpan().IndexOfAny(Quoted) < 0 ? argument : $"\"{argument}\"";
}
