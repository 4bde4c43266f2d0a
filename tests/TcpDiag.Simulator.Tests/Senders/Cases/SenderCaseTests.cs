using System;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>The cases of tests/scenarios/sender, each worked out by hand from the RFC that its second line names.</summary>
[Trait(Tier.Name, Tier.Conformance)]
public sealed class SenderCaseTests
{
    // Also across 2³², for timestamps too, and where the sign of a difference turns.
    static readonly uint[] Firsts = [1_000, 0xFFFF_FFFF - 2_500, 0xFFFF_FFFF, 0x7FFF_FFFF - 2_500];

    static readonly string Folder = ProjectFolder.PathOf("tests", "scenarios", "sender");

    public static TheoryData<string, uint> All
    {
        get
        {
            TheoryData<string, uint> data = [];
            foreach (string path in Directory.GetFiles(Folder, "*.scn", SearchOption.AllDirectories).Order(StringComparer.Ordinal))
            {
                foreach (uint first in Firsts)
                {
                    data.Add(Path.GetRelativePath(Folder, path), first);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Case_Played_HoldsEveryExpectation(string name, uint first)
    {
        int statements = 0;
        SenderCase played = new(stack => new CaseSender(stack, first), statement =>
        {
            statements++;
            // Once an exception holds, the case has to say so.
            Assert.True(statement.Holds != (statement.Kind == StatementKind.Exception), string.Create(CultureInfo.InvariantCulture, $"{statement.Place}, found {statement.Found}"));
        });
        played.Play(Path.Combine(Folder, name));
        Assert.NotEqual(0, statements);
    }
}
