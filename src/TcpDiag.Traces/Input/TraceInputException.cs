using System;

namespace TcpDiag.Traces.Input;

/// <summary>An input cannot be opened, or not be spooled to disk. The message is one line that names it and what to do.</summary>
public sealed class TraceInputException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="path">The file as the user named it, <c>-</c> for standard input.</param>
    /// <param name="problem">What is wrong and what to do, without the path.</param>
    /// <param name="inner">What the operating system said, or null.</param>
    public TraceInputException(string path, string problem, Exception? inner = null)
        : base($"{path}: {problem}", inner) => Path = path;

    /// <summary>The file as the user named it.</summary>
    public string Path { get; }
}
