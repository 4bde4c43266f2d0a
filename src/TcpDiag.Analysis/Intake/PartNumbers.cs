using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using TcpDiag.Traces.Input;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// The numbers of connections by part, in a temporary file. Those of a part are written one by one while those of others are, and read at once.
/// </summary>
sealed class PartNumbers : IDisposable
{
    const int BufferNumbers = 1 << 10;

    readonly FileStream _file = TemporaryFile.Create("numbers");
    readonly Part[] _parts;

    /// <summary>Numbers for parts that have so many connections each.</summary>
    /// <param name="counts">How many.</param>
    /// <exception cref="TemporaryFileException">The file cannot be created.</exception>
    public PartNumbers(IReadOnlyList<int> counts)
    {
        _parts = new Part[counts.Count];
        long first = 0;
        for (int part = 0; part < _parts.Length; part++)
        {
            _parts[part] = new() { First = first, Numbers = new int[int.Min(BufferNumbers, counts[part])], Count = counts[part] };
            first += counts[part];
        }
    }

    /// <summary>Numbers the next connection of a part.</summary>
    /// <returns>Its place there.</returns>
    /// <exception cref="TemporaryFileException">The disk is full, or fails.</exception>
    public int Add(int part, int number)
    {
        ref Part to = ref _parts[part];
        to.Numbers[to.Filled % to.Numbers.Length] = number;
        to.Filled++;
        if (to.Filled % to.Numbers.Length == 0 || to.Filled == to.Count)
        {
            int held = ((to.Filled - 1) % to.Numbers.Length) + 1;
            TemporaryFile.Write(_file, MemoryMarshal.AsBytes(to.Numbers.AsSpan(0, held)), (to.First + to.Filled - held) * sizeof(int));
        }

        return to.Filled - 1;
    }

    /// <summary>The numbers of a part, when all of them were added.</summary>
    /// <exception cref="TemporaryFileException">The disk fails.</exception>
    public int[] Of(int part)
    {
        var numbers = new int[_parts[part].Count];
        TemporaryFile.Read(_file, MemoryMarshal.AsBytes(numbers.AsSpan()), _parts[part].First * sizeof(int));
        return numbers;
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    struct Part
    {
        public long First;
        public int[] Numbers;
        public int Count;
        public int Filled;
    }
}
