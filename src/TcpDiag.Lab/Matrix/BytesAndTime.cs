namespace TcpDiag.Lab.Matrix;

/// <summary>An amount and a time that go together, written <c>50kb/200ms</c>.</summary>
/// <param name="Bytes">The amount.</param>
/// <param name="TimeNs">The time, nanoseconds.</param>
public sealed record BytesAndTime(long Bytes, long TimeNs);
