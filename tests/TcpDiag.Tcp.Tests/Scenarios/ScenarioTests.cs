using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Tcp.Tests.Scenarios;

public class ScenarioTests
{
    static readonly string Folder = Path.Combine(ProjectFolder.Root, "tests", "scenarios");

    public static TheoryData<string, uint> All
    {
        get
        {
            TheoryData<string, uint> data = [];
            foreach (string name in Directory.GetFiles(Folder, "*.scn").Select(Path.GetFileName).Order()!)
            {
                foreach (uint start in Bases.Values)
                {
                    data.Add(name, start);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(All))]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 8985; each file names its section
    public void Scenario_Played_HoldsEveryExpectation(string name, uint start) =>
        Assert.InRange(new Scenario(start).Play(Path.Combine(Folder, name)), 1, int.MaxValue);
}
