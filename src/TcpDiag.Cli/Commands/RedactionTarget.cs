using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Report.Json;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Input;

namespace TcpDiag.Cli.Commands;

/// <summary>Where redacted files go, and what must not be there.</summary>
static class RedactionTarget
{
    static readonly string[] Packed = [".gz", ".zip"];

    // Extensions by which people and programs choose what to open a file with.
    static readonly string[] Named = [".etl", ".pcapng", ".pcap", BundleWriter.Extension, .. Packed];

    /// <summary>What each input becomes.</summary>
    /// <param name="inputs">The inputs.</param>
    /// <param name="target">The file to write, or a folder.</param>
    /// <returns>One file for each input.</returns>
    /// <exception cref="RedactionUsageException">They cannot go there.</exception>
    public static IEnumerable<string> Of(string[] inputs, string target)
    {
        if (!Directory.Exists(target))
        {
            return inputs.Length == 1
                ? [target]
                : throw new RedactionUsageException($"{target}: no such folder. Several files are written to a folder that exists, under their own names.");
        }

        if (inputs.Contains(TraceInputs.StandardInput))
        {
            throw new RedactionUsageException($"{target}: a folder, and standard input has no name for a file in it. Name the file to write.");
        }

        RequireDistinctNames(inputs);
        return inputs.Select(input => Path.Combine(target, NameOf(input)));
    }

    /// <summary>Whether a file exists and is not empty, so that it is only overwritten on request.</summary>
    /// <returns>True for a file that is not empty.</returns>
    public static bool Holds(string path) => File.Exists(path) && new FileInfo(path) is { Length: > 0 };

    /// <summary>Removes a result that is not clean, so that it is not given away by mistake.</summary>
    /// <param name="file">The result and what was found in it.</param>
    /// <param name="isKept">Whether it stays all the same.</param>
    /// <returns>The same, with what became of it.</returns>
    public static RedactedFileEntry Settle(RedactedFileEntry file, bool isKept)
    {
        if (isKept || file is not { Verification.Passed: false, Output: { } output })
        {
            return file;
        }

        OutputFile.Remove(output);
        return file with { Removed = true };
    }

    /// <summary>Refuses a target that would replace a file unasked, or whose extension belongs to another format.</summary>
    /// <param name="input">What becomes the target.</param>
    /// <param name="output">The target.</param>
    /// <param name="isForced">Whether a file there is replaced.</param>
    /// <exception cref="OutputTakenException">It is there already.</exception>
    /// <exception cref="RedactionUsageException">It needs another name.</exception>
    /// <exception cref="TraceInputException">The input cannot be opened.</exception>
    /// <exception cref="TraceFormatException">The input is no trace.</exception>
    public static void Require(string input, string output, bool isForced)
    {
        OutputFile.RequireFree(output, isForced);
        string named = Path.GetExtension(output).ToLowerInvariant();
        if (input is not TraceInputs.StandardInput && Named.Contains(named) && ExtensionsOf(input) is var right && !right.Contains(named))
        {
            throw new RedactionUsageException($"{output}: {input} becomes a {right[0]} file, and would not be taken for one. Give it that ending.");
        }
    }

    // A redacted file has the format of its input, and is not packed. A program that reads pcap reads pcapng.
    static string[] ExtensionsOf(string input)
    {
        if (TraceBundle.ReadManifest(input) is not null)
        {
            return [BundleWriter.Extension];
        }

        using TraceInput opened = TraceFile.OpenInput(input, out TraceFormat format);
        return format switch
        {
            TraceFormat.Etl => [".etl"],
            TraceFormat.Pcapng => [".pcapng", ".pcap"],
            _ => [".pcap", ".pcapng"],
        };
    }

    // In a folder a packed trace loses the extension of the packing.
    static string NameOf(string input)
    {
        string name = Path.GetFileName(input);
        if (!Packed.Contains(Path.GetExtension(name).ToLowerInvariant()) || TraceBundle.ReadManifest(input) is not null)
        {
            return name;
        }

        string inner = Path.GetFileNameWithoutExtension(name);
        return Path.HasExtension(inner) ? inner : inner + ExtensionsOf(input)[0];
    }

    // Otherwise the result of one would silently replace that of another.
    static void RequireDistinctNames(string[] inputs)
    {
        var names = new HashSet<string>(OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal);
        if (Array.Find(inputs, input => !names.Add(NameOf(input))) is { } second)
        {
            throw new RedactionUsageException(
                $"{second}: another input has the same name, and both would be written to the same file. Redact them into different folders.");
        }
    }
}

/// <summary>The files named on the command line of a redaction do not fit together.</summary>
/// <param name="message">What is wrong, and what to name instead.</param>
sealed class RedactionUsageException(string message) : Exception(message);
