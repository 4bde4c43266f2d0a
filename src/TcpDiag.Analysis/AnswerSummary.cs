using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis;

/// <summary>How long one end took to answer: from the last byte of what the other end sent to the first byte of the answer, without the way there and back.</summary>
/// <param name="Time">All waits together, nanoseconds.</param>
/// <param name="BriefTime">Those of them no longer than a second, nanoseconds: longer ones are <see cref="LimitState.Idle"/>.</param>
/// <param name="Count">Answers.</param>
/// <param name="Longest">The longest wait.</param>
public sealed record AnswerSummary(long Time, long BriefTime, int Count, LimitSpan Longest);
