namespace TcpDiag.Impairment.Decisions;

/// <summary>Groups of <see cref="ImpairmentAction"/>.</summary>
public static class ImpairmentActions
{
    /// <summary>How many actions there are, <see cref="ImpairmentAction.None"/> included.</summary>
    public const int Count = (int)ImpairmentAction.ReorderFlush + 1;

    /// <summary>Whether the packet ends with this action without being delivered.</summary>
    /// <param name="action">The action.</param>
    /// <returns>True for the four kinds of drop.</returns>
    public static bool IsDrop(this ImpairmentAction action) => action is >= ImpairmentAction.DropLoss and <= ImpairmentAction.DropCapacity;

    /// <summary>Whether the packet is taken out of its order by this action.</summary>
    /// <param name="action">The action.</param>
    /// <returns>True for the five kinds of reordering.</returns>
    public static bool IsReordering(this ImpairmentAction action) => action is >= ImpairmentAction.ReorderReplace and <= ImpairmentAction.ReorderFlush;
}
