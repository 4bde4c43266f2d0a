namespace TcpDiag.Traces.Filtering;

/// <summary>Which packets pass by whether they are reports of drops.</summary>
public enum DropChoice
{
    /// <summary>All.</summary>
    All,

    /// <summary>Reports of drops alone.</summary>
    DropsOnly,

    /// <summary>All but reports of drops.</summary>
    NoDrops,
}
