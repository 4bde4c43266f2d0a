using Xunit;

namespace TcpDiag.Platform.Tests;

/// <summary>Who counts as an administrator, and which rights change a file or folder.</summary>
public sealed class AccessCheckTests
{
    const string Administrators = "S-1-5-32-544";
    const string Alice = "S-1-5-21-1-2-3-1001";
    const string Users = "S-1-5-32-545";
    const int FullControl = 0x1F01FF;
    const int ReadAndExecute = 0x1200A9;

    [Theory]
    [InlineData(Administrators, "S-1-5-18", FullControl, null)]
    [InlineData("S-1-5-18", "S-1-3-0", FullControl, null)]
    [InlineData(Administrators, Users, ReadAndExecute, null)]
    [InlineData(Administrators, Users, 0x1301BF, "S-1-5-32-545 may change it")]
    [InlineData(Administrators, "S-1-5-11", 0x4, "S-1-5-11 may change it")]
    [InlineData(Administrators, Alice, 0x80000, "S-1-5-21-1-2-3-1001 may change it")]
    [InlineData(Administrators, Alice, 0x40, "S-1-5-21-1-2-3-1001 may change it")]
    [InlineData(Administrators, "S-1-1-0", 0x10000000, "S-1-1-0 may change it")]
    [InlineData(Alice, Administrators, FullControl, "it belongs to S-1-5-21-1-2-3-1001")]
    [InlineData("nobody", Administrators, FullControl, "it belongs to nobody")]
    public void WhyNotPrivate_OwnerAndGrants_NamesWhoElseCanChangeIt(string owner, string who, int rights, string? expected) =>
        Assert.Equal(expected, AccessCheck.WhyNotPrivate(owner, [new(Administrators, FullControl), new(who, rights)], Administrators));

    [Fact]
    public void WhyNotPrivate_WhomThisProcessMakesOwner_IsTrusted() =>
        Assert.Null(AccessCheck.WhyNotPrivate(Alice, [new(Alice, FullControl)], self: Alice));

    [Fact]
    public void WhyNotPrivate_SeveralOthers_NamesEachOnce() =>
        Assert.Equal(
            "Users, Alice may change it",
            AccessCheck.WhyNotPrivate(
                Administrators,
                [new(Users, 0x2), new(Alice, FullControl), new(Users, 0x4), new("S-1-1-0", ReadAndExecute)],
                self: null,
                who => who is Users ? nameof(Users) : nameof(Alice)));
}
