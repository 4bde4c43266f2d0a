using System;

namespace TcpDiag.Report.Json;

/// <summary>A condition that ended a recording.</summary>
/// <param name="Condition">As it was asked for.</param>
/// <param name="Utc">When it came true.</param>
/// <param name="What">What has happened, a clause.</param>
public sealed record CaptureTriggerEntry(string Condition, DateTimeOffset Utc, string What);
