namespace TcpDiag.Capture.Linux.Packets;

/// <summary>An interface that has been written to the file.</summary>
/// <param name="kernelIndex">The kernel's number.</param>
/// <param name="id">The file's number.</param>
/// <param name="name">Its name, with its namespace where that is not ours.</param>
sealed class RecordedInterface(int kernelIndex, int id, string name)
{
    /// <summary>The kernel's number.</summary>
    public int KernelIndex { get; } = kernelIndex;

    /// <summary>The file's number.</summary>
    public int Id { get; } = id;

    /// <summary>Its name, with its namespace where that is not ours.</summary>
    public string Name { get; } = name;

    /// <summary>Packets taken in.</summary>
    public long Packets { get; set; }

    /// <summary>Packets lost, known at the end.</summary>
    public long Dropped { get; set; }
}
