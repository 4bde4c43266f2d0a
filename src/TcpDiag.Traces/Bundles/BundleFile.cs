namespace TcpDiag.Traces.Bundles;

/// <summary>A file in a bundle.</summary>
/// <param name="Name">Its name in the zip: letters, digits, <c>.</c>, <c>-</c> and <c>_</c>; no folders.</param>
/// <param name="Kind">trace, snapshot or journal.</param>
/// <param name="Bytes">Its unpacked length.</param>
/// <param name="Sha256">SHA-256 of its unpacked bytes, lower-case hexadecimal.</param>
public sealed record BundleFile(string Name, string Kind, long Bytes, string Sha256);
