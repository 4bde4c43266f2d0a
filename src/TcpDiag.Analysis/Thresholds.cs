namespace TcpDiag.Analysis;

/// <summary>
/// Every threshold of measures and limits (that of a finding stands in its rule), with its unit and where it comes from: an RFC, a stack's source, or the
/// matrix of tools/truth on which it was fitted (limits.yaml) and checked afterwards on seeds drawn later (limits-heldout.yaml); "assumed" was set by hand
/// and never fitted. What a threshold earns is in docs/verification. Bounds of memory, sizes of tables and numbers of a protocol stand where they are used.
/// </summary>
static class Thresholds
{
    // Limits: what holds a sender back (docs/limits.md).

    /// <summary>ns. The smallest RTO of common stacks (Linux TCP_RTO_MIN): what is resent sooner was not resent by timer.</summary>
    public const long MinRtoNanos = 200_000_000;

    /// <summary>
    /// RTOs of silence after which nothing can be in flight (assumed). A stack's RTO may be longer than ours: Windows' floor is 300 ms, and of its RTT samples
    /// events have only the smoothed ones.
    /// </summary>
    public const int MaxRtos = 4;

    /// <summary>
    /// ns. Application time with nothing in flight is idle from here on, or from the RTO on if that is longer (RFC 5681 §4.1; measures, 1 s).
    /// </summary>
    public const long MinIdleNanos = 1_000_000_000;

    /// <summary>bytes. As full as a segment gets where jumbo frames hold a write whole (a page, limits.yaml).</summary>
    public const int FullSegmentBytes = 4096;

    /// <summary>bytes. Payload of the smallest MTU of IPv6 (RFC 8200 §5), less 72 of headers with timestamps: few paths take less.</summary>
    public const int UsualMss = 1208;

    /// <summary>ns. Segments the sender hands over at once leave it closer than this (limits.yaml).</summary>
    public const long BurstGapNanos = 200_000;

    /// <summary>ns. Up to here a capture counts as taken at the sender: its stack's own time to answer (limits.yaml).</summary>
    public const long MinSenderDelayNanos = 500_000;

    /// <summary>ns. Beside long ways to the receiver so much: a writer that has to be woken answers later (tools/truth/real, small-server-buffer).</summary>
    public const long MaxSenderDelayNanos = 2_000_000;

    /// <summary>The part of the way to the receiver and back, as a divisor, that is none beside it (assumed).</summary>
    public const int NearSenderPart = 64;

    /// <summary>ns. An answer to an acknowledgment leaves the sender within this, however close bursts are (limits.yaml).</summary>
    public const long MinAnswerNanos = 50_000;

    /// <summary>ns. Within this it leaves where a writer has to be woken first (limits.yaml).</summary>
    public const long MaxAnswerNanos = 2_000_000;

    /// <summary>ns. A waiting writer is woken sooner than this where a processor is free (limits.yaml).</summary>
    public const long WakeUpNanos = 500_000;

    /// <summary>Segments by which a congestion window that nears W_max (RFC 9438 §4.2) grows from one level to the next at most (assumed).</summary>
    public const int MaxStepSegments = 4;

    /// <summary>Such steps in a row that show it (assumed).</summary>
    public const int MinSteps = 2;

    /// <summary>Round trips after the end of slow start in which a send buffer shows, if it ended it (limits-heldout.yaml: six).</summary>
    public const int MaxRoundsPastSlowStart = 8;

    /// <summary>ns. Where data was left, no writer has to be woken (limits.yaml).</summary>
    public const long StackAnswerNanos = 100_000;

    /// <summary>
    /// Answers more than pauses that are none by chance, and pauses more than answers that are the program's own (limits.yaml: 1 in 16 by chance).
    /// </summary>
    public const int Habit = 4;

    /// <summary>Answers beyond this say no more: a habit can be lost again (four times <see cref="Habit"/>).</summary>
    public const int MaxHabit = 16;

    /// <summary>Of the answers of a habit, so many come sooner than any other rhythm has them come (limits.yaml: clock, portions).</summary>
    public const int MinImmediateAnswers = 2;

    /// <summary>
    /// So many pauses of the program's own as long as one that waits, and that one is the program's as well (limits.yaml: portions, 10 points).
    /// </summary>
    public const int MinEqualPauses = 2;

    /// <summary>Releases by Nagle's algorithm that nothing follows: one may be the end of a message (causes of real programs: steady-upload).</summary>
    public const int MinNagleReleases = 2;

    /// <summary>Segments of the initial window (RFC 6928): below it no congestion window holds a sender that has lost nothing.</summary>
    public const int InitialWindowSegments = 10;

    /// <summary>Rounds that suffice below the initial window, or below what was in flight before (limits.yaml).</summary>
    public const int MinRounds = 3;

    /// <summary>Sends at even distances that make a run; fewer may be even by chance (limits.yaml: pacing).</summary>
    public const int MinEvenSends = 8;

    /// <summary>Even sends after which is decided, so that a long run does not wait for its end.</summary>
    public const int MaxEvenSends = 64;

    /// <summary>Acknowledgments in a row with SACK blocks without news; one or two also come of a copy, or of an acknowledgment that was overtaken.</summary>
    public const int MinStaleSacks = 3;

    /// <summary>A state with less than this part of the active time, and less than <see cref="MinSpanNanos"/>, gets no place in the evidence.</summary>
    public const int MinSpanParts = 20;

    /// <summary>ns. See <see cref="MinSpanParts"/>.</summary>
    public const long MinSpanNanos = 100_000_000;

    // Retransmissions: what triggered them, and whether they were needed (docs/commands/analyze.md).

    /// <summary>ns. So long after a retransmission its duplicate has been reported, if ever (assumed).</summary>
    public const long DsackPatienceNanos = 2_000_000_000;

    /// <summary>Round trips after the acknowledgment of its retransmission at which an original still comes (assumed).</summary>
    public const int MaxOriginalRoundTrips = 2;

    /// <summary>Originals of one path are equally late when they differ by less than one part of so many (assumed).</summary>
    public const int EquallyLateParts = 50;

    /// <summary>So many originals that are equally late are none by chance (assumed).</summary>
    public const int MinEquallyLate = 2;

    /// <summary>ns. Without any RTT, a segment later than this is taken for a retransmission (the value that Wireshark uses).</summary>
    public const long DefaultReorderingNanos = 3_000_000;

    /// <summary>ns. A reordering timer may be late by so much: two ticks of a kernel that counts 250 a second, and scheduling.</summary>
    public const long TimerSlackNanos = 10_000_000;

    /// <summary>IPv4 identifications no further apart come from one counter (RFC 6864 asks for no order, but common stacks count).</summary>
    public const int MaxIpIdStep = 1000;

    /// <summary>One packet in so many may follow an identification that another connection took, before the counter counts as shared (assumed).</summary>
    public const int PacketsPerForeignIpId = 500;

    /// <summary>ns. A program's timer and the recording's clock vary by so much by themselves (assumed).</summary>
    public const long MinClockNoiseNanos = 20_000;

    /// <summary>Part of what it takes to wake a writer, as a divisor, by which that changes from one time to the next at least (assumed).</summary>
    public const int SteadyDelayPart = 16;

    /// <summary>Bursts at even distances that show whether they keep a clock of the writer's own (assumed): twice <see cref="Habit"/>.</summary>
    public const byte MinClockBursts = 8;

    /// <summary>Bursts by which a writer's clock is judged at most: older ones count half.</summary>
    public const byte MaxClockBursts = 64;

    /// <summary>Portions as large as the one before, to the byte, that show a program which writes them (assumed).</summary>
    public const int MinPortions = 3;

    /// <summary>bytes. Portions are multiples of it where a person chose their size; what a send buffer holds is not (assumed).</summary>
    public const int RoundPortionBytes = 1000;

    /// <summary>Part by which waits behind portions are longer than all others where that shows whose they are, as a divisor (assumed).</summary>
    public const uint PausePart = 4;

    /// <summary>Portions of which the ends did not show, in a row, at most (assumed).</summary>
    public const int MaxMissedPortions = 4;

    /// <summary>Times that windows are full by one scale, of different sizes or to the byte, before that is taken for it (assumed): of one size, and but for
    /// less than a segment, a send buffer may be as large.</summary>
    public const int MinFullWindows = 3;

    /// <summary>bytes. Sizes that are set by hand are multiples of it, of windows as of buffers and writes (assumed).</summary>
    public const int RoundBytes = 1024;

    /// <summary>Acknowledgments that are answered as at the sender, before they show that the capture was taken there.</summary>
    public const int MinPhases = 10;

    /// <summary>Echoes that show the way to the sender to an eighth, before it is known (assumed).</summary>
    public const int MinSharpEchoes = 4;

    /// <summary>The part of the time to the next acknowledgment, as a divisor, in which an answer comes at the sender: by chance one in eight does.</summary>
    public const int NearPart = 8;

    /// <summary>Part of the answers that come so soon at the sender (assumed): five times chance.</summary>
    public const double NearShare = 0.625;

    /// <summary>Part of these that a stack answers at once (<see cref="StackAnswerNanos"/>). Of a blocked writer that has to be woken on a busy machine it was
    /// 5 in 12 (limits.yaml, begun late); of writes in the beat of the round trip, seen from elsewhere, 1 in 5.</summary>
    public const double AtOnceShare = 0.4;

    // What the path delivers.

    /// <summary>Intervals between losses that are kept, the latest.</summary>
    public const int MaxLossSpans = 12;

    /// <summary>Intervals that can show a token bucket: it has two numbers of its own.</summary>
    public const int MinLossSpans = 3;

    /// <summary>Corners of what got through over time that are kept of each.</summary>
    public const int MaxLossCorners = 8;

    /// <summary>Segments that a token bucket holds at least (assumed): fewer are a short queue as well.</summary>
    public const int MinBucketSegments = 8;

    /// <summary>Segments of a train of acknowledgments at least: two of them with an acknowledgment for each pair.</summary>
    public const int MinTrainSegments = 4;

    /// <summary>Segments of a train at most (assumed): half of what is in flight lies within one burst, and is long beside the jitter of a path that is
    /// full.</summary>
    public const int MaxTrainSegments = 512;

    /// <summary>Trains that are needed for a rate.</summary>
    public const int MinTrains = 4;

    /// <summary>The quantile of trains that is the slowest link's rate (assumed): most lie across a gap, and a few are compressed on the way back.</summary>
    public const double TrainQuantile = 0.8;

    /// <summary>A queue adds at least this part of the smallest round trip (assumed).</summary>
    public const uint QueueDelayDivisor = 16;

    /// <summary>Segments whose time on the slowest link a queue adds at least: fewer are delayed acknowledgments and batches of interrupts (assumed).</summary>
    public const int MinQueueSegments = 3;

    /// <summary>ns. A queue adds at least as much (assumed): interrupts are coalesced for about half of it.</summary>
    public const double MinQueueNanos = 100_000;

    /// <summary>Round trips for which the path has to be full before its rate is taken for the slowest link's (assumed).</summary>
    public const int MinFullRounds = 4;

    /// <summary>Part of the busy time in which a queue stands on a path that is full (assumed).</summary>
    public const double FullShare = 0.7;

    /// <summary>
    /// A full link lets no two rounds through at so many times its rate. Where the receive window is the limit and it did, late acknowledgments looked like a
    /// queue (tools/truth/customers: slow-server-disk 2.6 and 3.0 times where that took most of the time, standing-queue 1.0). Where losses cost no rate, but
    /// bursts left the link so many times as fast, it was not full either (reordering-download: 3.9 times).
    /// </summary>
    public const double MaxFullExcess = 2;

    /// <summary>
    /// Percent of the repairs that may take less than a round trip: where a queue drops most of what comes, a gap shows late, but not its repair (up to 5 % of
    /// repairs, tools/truth/real, upload-beside-download).
    /// </summary>
    public const int RepairPercent = 10;

    /// <summary>Part of the rate of bursts that shows a full path where no queue can be seen (assumed).</summary>
    public const double FullRateShare = 0.9;

    /// <summary>
    /// Part of the highest rate that a transfer keeps on the whole where losses cost it none, because a queue stood (assumed; CUBIC keeps 0.85, Reno 0.75
    /// without).
    /// </summary>
    public const double SteadyRateShare = 0.92;

    // Findings: what a cost means to somebody who waits.

    /// <summary>s. Less is only a note.</summary>
    public const double MinFeltSeconds = 0.3;

    /// <summary>Part of a transfer's time from which on a cost is a warning.</summary>
    public const double WarningShare = 0.1;

    /// <summary>Part of a transfer's time from which on a cost is critical.</summary>
    public const double CriticalShare = 0.5;

    /// <summary>Confidence below which a finding is only a note, and stands behind all that are surer.</summary>
    public const double SureConfidence = 0.5;

    // Connections: where they were captured, and how they ended.

    /// <summary>Percent. An end answers within this part of the round trip; more lies on the way to it (assumed).</summary>
    public const int EndsSharePercent = 10;

    /// <summary>ns. Where the whole round trip is shorter, the ends' own delays hide where it is spent (assumed).</summary>
    public const long MinVantageRttNanos = 200_000;

    /// <summary>ns. Of several segments a receiver acknowledges some at once (RFC 9293 §3.8.6.3): where none was sooner, the way to it is behind the capture
    /// (assumed).</summary>
    public const long MinReceiverWayNanos = 1_000_000;

    /// <summary>RTT samples that show it (assumed).</summary>
    public const int MinReceiverWaySamples = 32;

    /// <summary>ns. A silence in which a lost packet may be hidden, where no round trip is known (assumed).</summary>
    public const long MinPauseNanos = 1_000_000;

    /// <summary>Unanswered retransmissions after which a connection that falls silent has timed out (R1 of RFC 9293 §3.8.3).</summary>
    public const int TimeoutRetransmissions = 3;

    /// <summary>ns. The longest initial RTO: RFC 1122 §4.2.3.1; RFC 6298 §2.1 shortened it to 1 s.</summary>
    public const long MaxInitialRtoNanos = 3_000_000_000;

    /// <summary>
    /// ns. Data this long after a window has opened, and a round trip, was not waiting for it: a busy machine takes as long to answer (assumed).
    /// </summary>
    public const long MaxWindowAnswerNanos = 50_000_000;

    // Patterns: what losses and waits have in common (docs/findings).

    /// <summary>
    /// Retransmissions of one segment in full size before smaller ones arrive, where none of full size had: a path that loses one packet in ten loses all of
    /// them once in a thousand times (assumed).
    /// </summary>
    public const int MinFullSizedLost = 2;

    /// <summary>The same where no smaller ones follow, or full-sized segments had arrived before: chance is more likely (assumed).</summary>
    public const int MinUnrepairedFullSized = 3;

    /// <summary>bytes. Payload of the smallest packets any path has to take: 576 bytes (RFC 791 §3.1), less headers.</summary>
    public const int SmallestMtuPayload = 536;

    /// <summary>
    /// Away from the sender an acknowledgment that the sender does not echo is lost when it is late by this part of the way there and back
    /// (limits-heldout.yaml, seed 844620949).
    /// </summary>
    public const int OverdueDivisor = 2;

    /// <summary>
    /// Data that waited for an acknowledgment follows it by the way to the sender and back, and at most this part of it more or less (assumed).
    /// </summary>
    public const int AnswerDivisor = 4;

    /// <summary>Some of it by this part: a rhythm of the program's own keeps its distance (tools/truth --causes 196458936, chat over 150 ms).</summary>
    public const int CloseAnswerDivisor = 16;

    /// <summary>One in so many of it.</summary>
    public const int MaxPerCloseAnswer = 4;

    /// <summary>ns. An acknowledgment that comes so much later than the path explains was held back: Linux takes 40 ms and more (assumed).</summary>
    public const long MinHeldAckNanos = 20_000_000;

    /// <summary>ns. No acknowledgment is held back for longer (RFC 9293 §3.8.6.3: less than 500 ms), and coarse timers.</summary>
    public const long MaxHeldAckNanos = 600_000_000;

    /// <summary>Segments of the smallest restart window: less is what a program writes (an initial window before RFC 6928).</summary>
    public const int MinRestartSegments = 3;

    /// <summary>So many times as much was in flight once, that a burst is held back by its first window (assumed).</summary>
    public const int MinRestartFactor = 2;

    /// <summary>
    /// So many times as much was sent in the burst before: at the end of it slow start, which doubles, had the window that held twice the first round
    /// (1 + 2 + 1 of it; tools/truth/real, idle-restart).
    /// </summary>
    public const int MinRestartBurstFactor = 4;

    /// <summary>Segments in flight that a reset cuts off, at least: less is the last word of a program, as of TLS (RFC 8446 §6.1).</summary>
    public const int MinCutSegments = 2;

    // Stack events beside packets.

    /// <summary>Part of the active time by which limits from two sources differ at least: less comes from the edges of intervals.</summary>
    public const double MinLimitDifference = 0.05;

    /// <summary>The same where a stack counts bytes, which only weigh the time between two events.</summary>
    public const double MinLimitDifferenceByBytes = 0.2;

    /// <summary>Part of the active time that a stack's counters must cover to be compared.</summary>
    public const double MinCounterCoverage = 0.95;

    /// <summary>ns. Two ticks of the clock by which Windows counts milliseconds (64 a second).</summary>
    public const long MinCounterNanos = 32_000_000;

    /// <summary>Steps of a stack's byte counters by which time can be divided.</summary>
    public const int MinCounterSamples = 8;

    /// <summary>ns. Opening events come before the first packet, and a rundown may come after the last.</summary>
    public const long EventToleranceNanos = 1_000_000_000;

    /// <summary>Samples of the kernel's clocks must cover all but one of so many parts of the active time.</summary>
    public const int CoveredParts = 20;

    // The recording itself: its clock, and packets seen twice.

    /// <summary>ns. Packets that go back by more may do so because the clock was set back; less is what capture queues and processors do (assumed).</summary>
    public const long MinClockDoubtNanos = 50_000_000;

    /// <summary>ns. No capture queue holds a packet back for so long: the clock was set back.</summary>
    public const long MinStepBackNanos = 1_000_000_000;

    /// <summary>ns. After a silence of everybody: who was there before has spoken by then, or keeps silent.</summary>
    public const long MaxSilenceWaitNanos = 1_000_000_000;

    /// <summary>ns. The slowest timestamp clock ticks once a second (RFC 7323 §5.4); half of that is not to be fooled by a tick.</summary>
    public const long MaxTimestampTickNanos = 2_000_000_000;

    /// <summary>Ticks of a timestamp clock by which its rate is known to an eighth, at least (assumed).</summary>
    public const int MinClockTicks = 8;

    /// <summary>ns. Between two points of one host a packet takes less (assumed).</summary>
    public const long MaxHostDelayNanos = 50_000_000;

    /// <summary>ns. Through a router or a bridge a packet takes less, and no sender sends again so soon (assumed).</summary>
    public const long MaxRouterDelayNanos = 1_000_000;
}
