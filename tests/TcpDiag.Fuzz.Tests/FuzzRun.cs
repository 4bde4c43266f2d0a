using System;
using System.Globalization;
using System.IO;
using System.Threading;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;
using Xunit.Sdk;

namespace TcpDiag.Fuzz.Tests;

/// <summary>
/// Damages the seeds of a target again and again and holds it to the rules for bad input: nothing but
/// <see cref="TraceFormatException"/> and, from archives, <see cref="TraceInputException"/> escapes, the number of records and the memory stay in proportion
/// to the input, and it ends. An input that breaks a rule is left in artifacts/fuzz; its place is tests/corpus.
/// </summary>
static class FuzzRun
{
    // What one input may allocate in all, whatever its lengths claim.
    const long AllocationLimit = 256L << 20;

    // A record takes at least a byte, and some readers tell one record twice (e.g. at two interfaces).
    const int RecordsPerByte = 2;
    const int RecordsAtLeast = 1000;

    static readonly TimeSpan HangLimit = TimeSpan.FromSeconds(60);

    /// <summary>Tries damaged inputs.</summary>
    /// <param name="target">What reads them.</param>
    /// <param name="inputs">How many.</param>
    /// <param name="seed">Seed of the damage.</param>
    public static void Run(FuzzTarget target, int inputs, int seed)
    {
        var mutator = new Mutator(seed);
        for (int i = 0; i < inputs; i++)
        {
            Try(target, mutator.Mutate(target.Seeds[i % target.Seeds.Count]), string.Create(CultureInfo.InvariantCulture, $"{seed}-{i}"));
        }
    }

    /// <summary>Tries one input.</summary>
    /// <param name="target">What reads it.</param>
    /// <param name="input">The bytes.</param>
    /// <param name="label">Names the input in messages.</param>
    /// <returns>Records read, 0 where the input was refused.</returns>
    public static long Try(FuzzTarget target, byte[] input, string label)
    {
        using var watchdog = new Timer(_ => Hang(target, input, label), null, HangLimit, Timeout.InfiniteTimeSpan);
        long before = GC.GetAllocatedBytesForCurrentThread();
        long records = 0;
        try
        {
            records = target.Read(input);
        }
        catch (Exception exception) when (exception is TraceFormatException or TraceInputException)
        {
            // What a file that cannot be read, or unpacked, must end in.
        }
        catch (Exception exception)
        {
            throw new XunitException($"{target.Name} {label}: {Keep(target, input, label)}: {exception}", exception);
        }

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        if (allocated > AllocationLimit || records > RecordsAtLeast + ((long)RecordsPerByte * input.Length))
        {
            throw new XunitException($"{target.Name} {label}: {Keep(target, input, label)}: {records} records and {allocated} bytes allocated for an input "
                + $"of {input.Length} bytes");
        }

        return records;
    }

    static void Hang(FuzzTarget target, byte[] input, string label) =>
        Environment.FailFast($"{target.Name} {label}: {Keep(target, input, label)}: no end after {HangLimit.TotalSeconds} s");

    static string Keep(FuzzTarget target, byte[] input, string label)
    {
        string file = ProjectFolder.PathOf("artifacts", "fuzz", $"{target.Name}-{label}.bin");
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllBytes(file, input);
        return file;
    }
}
