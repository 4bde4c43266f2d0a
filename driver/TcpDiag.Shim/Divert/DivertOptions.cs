using System;
using System.IO;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Divert;

/// <summary>How WinDivert is used.</summary>
public sealed record DivertOptions
{
    /// <summary>The highest priority; the lowest is its negative.</summary>
    public const short MaxPriority = 30_000;

    /// <summary>Where WinDivert.dll and WinDivert64.sys are.</summary>
    public string Folder { get; init; } = DefaultFolder;

    /// <summary>A filter in WinDivert's language instead of the match's translation; the match is then looked at afterwards.</summary>
    public string? Filter { get; init; }

    /// <summary>Among programs that use WinDivert: those of higher priority see a packet first. Two of the same priority must not have the same packets.</summary>
    public short Priority { get; init; }

    /// <summary>The near end of what the machine sends itself, which is only ever seen leaving: its packets are outgoing, all others incoming. Null takes all for outgoing.</summary>
    public IpAddress? LoopbackNear { get; init; }

    /// <summary>The folder <c>windivert</c> beside this program.</summary>
    public static string DefaultFolder => Path.Combine(AppContext.BaseDirectory, "windivert");
}
