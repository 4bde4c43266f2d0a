namespace TcpDiag.Analysis.Findings;

/// <summary>
/// A finding with what decides its place among others: most seconds lost first, then the gravest, then by name, then by connection. Beside each other in memory
/// ranks are compared many times faster than through the findings.
/// </summary>
/// <param name="Finding">The finding.</param>
/// <param name="SecondsLost">Seconds lost; 0 when not known.</param>
/// <param name="Connection">Number of its connection; −1 for the whole trace.</param>
/// <param name="Found">Its position as it was found, which decides among the rest.</param>
readonly record struct FindingRank(Finding Finding, double SecondsLost, int Connection, int Found)
{
    /// <summary>The rank of a finding.</summary>
    /// <param name="finding">The finding.</param>
    /// <param name="found">Its position as it was found.</param>
    /// <returns>Its rank.</returns>
    public static FindingRank Of(Finding finding, int found) => new(finding, finding.SecondsLost ?? 0, finding.Connection?.Index ?? -1, found);

    /// <summary>Compares two ranks.</summary>
    /// <param name="left">The one.</param>
    /// <param name="right">The other.</param>
    /// <returns>Negative when the one comes first, positive when the other does; 0 only for the same rank.</returns>
    public static int Compare(FindingRank left, FindingRank right)
    {
        int order = right.SecondsLost.CompareTo(left.SecondsLost);
        order = order != 0 ? order : (int)right.Finding.Severity - (int)left.Finding.Severity;
        order = order != 0 ? order : string.CompareOrdinal(left.Finding.Id, right.Finding.Id);
        order = order != 0 ? order : left.Connection.CompareTo(right.Connection);
        return order != 0 ? order : left.Found.CompareTo(right.Found);
    }
}
