using System;

namespace TcpDiag.Impairment.Queues;

/// <summary>
/// The drop probability of PIE (RFC 8033 §4.2, with §5.5's cap on its growth): a PI controller on the queueing delay, whose gain is smaller the smaller the
/// probability is. Delays are seconds, as in the RFC.
/// </summary>
struct PieProbability(double qdelayRef)
{
    // RFC 8033 §4.2: alpha and beta in Hz.
    const double Alpha = 0.125;
    const double Beta = 1.25;

    // RFC 8033 §4.2: an idle queue forgets.
    const double Decay = 0.98;

    // RFC 8033 §5.5.
    const double CapFrom = 0.1;
    const double LargestStep = 0.02;

    /// <summary>PIE->drop_prob_.</summary>
    public double DropProb { get; private set; }

    /// <summary>PIE->qdelay_old_, seconds.</summary>
    public double QdelayOld { get; private set; }

    /// <summary>Computes the probability anew; once every T_UPDATE.</summary>
    /// <param name="qdelay">current_qdelay, seconds.</param>
    public void Update(double qdelay)
    {
        double p = ((Alpha * (qdelay - qdelayRef)) + (Beta * (qdelay - QdelayOld))) / Damping(DropProb);
        p = DropProb >= CapFrom ? Math.Min(p, LargestStep) : p;
        double next = DropProb + p;
        if (qdelay == 0 && QdelayOld == 0)
        {
            next *= Decay;
        }

        DropProb = Math.Clamp(next, 0, 1);
        QdelayOld = qdelay;
    }

    // RFC 8033 §4.2, the table of drop_prob_ and the divisor.
    static double Damping(double probability) => probability switch
    {
        < 0.000001 => 2048,
        < 0.00001 => 512,
        < 0.0001 => 128,
        < 0.001 => 32,
        < 0.01 => 8,
        < 0.1 => 2,
        _ => 1,
    };
}
