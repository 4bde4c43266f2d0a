using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Analysis.Memory;
using Xunit;

namespace TcpDiag.Analysis.Tests.Memory;

/// <summary>Pools of structs with and without references, which lie in memory of different owners, against a list of what was taken.</summary>
public sealed class StructPoolTests
{
    const int Several = 5000; // of five chunks at least

    interface ICounted
    {
        long Value { get; set; }
    }

    [Fact]
    public void TakeAndReturn_AnyOrder_KeepsWhatIsHeld() => Prop.ForAll<int[]>(steps =>
        AgreesWithAList<Small>(steps, closeAt: int.MaxValue) && AgreesWithAList<Large>(steps, closeAt: int.MaxValue)
        && AgreesWithAList<Referring>(steps, closeAt: int.MaxValue)).Check(Config.QuickThrowOnFailure.WithEndSize(2000));

    [Fact]
    public void Close_AnyOrder_KeepsWhatIsHeld() => Prop.ForAll<int[]>(steps =>
        AgreesWithAList<Small>(steps, steps.Length / 2) && AgreesWithAList<Large>(steps, steps.Length / 2)
        && AgreesWithAList<Referring>(steps, steps.Length / 2)).Check(Config.QuickThrowOnFailure.WithEndSize(2000));

    [Fact]
    public void Close_AllGivenBackInOrder_KeepsTheLastOnes()
    {
        var pool = new StructPool<Large>();
        List<Pooled<Large>> taken = [.. Enumerable.Range(0, Several).Select(value => Filled(pool, value))];
        pool.Close();
        for (int i = 0; i < Several; i++)
        {
            Pooled<Large> item = taken[i];
            Assert.Equal(i, item.Value.Value);
            Assert.Equal(Several - 1, taken[^1].Value.Value);
            pool.Return(ref item);
            Assert.False(item.IsAny);
        }
    }

    [Fact]
    public void Take_OfManyChunks_NoneOverlap()
    {
        const int Many = 30_000; // of thirty chunks, which share blocks of memory
        var pool = new StructPool<Small>();
        List<Pooled<Small>> taken = [.. Enumerable.Range(1, Many).Select(value => Filled(pool, value))];
        Assert.All(taken, (item, i) => Assert.Equal(i + 1, item.Value.Value));
    }

    [Fact]
    public void Take_AfterAllOfAClosedPoolWasGivenBack_IsCleared()
    {
        var pool = new StructPool<Large>();
        List<Pooled<Large>> taken = [.. Enumerable.Range(1, Several).Select(value => Filled(pool, value))];
        pool.Close();
        foreach (Pooled<Large> one in taken)
        {
            Pooled<Large> item = one;
            pool.Return(ref item);
        }

        Pooled<Large> later = pool.Take();
        Assert.Equal(0, later.Value.Value);
        later.Value.Value = 3;
        Assert.Equal(3, later.Value.Value);
        Assert.Equal(0, pool.Take().Value.Value);
    }

    [Fact]
    public void Take_AfterItWasGivenBack_IsCleared()
    {
        var pool = new StructPool<Small>();
        Pooled<Small> item = Filled(pool, 7);
        pool.Return(ref item);
        Assert.Equal(0, pool.InUse);
        Assert.Equal(0, pool.Take().Value.Value);
        Assert.Equal(1, pool.Count);
    }

    // Takes on even numbers, gives back on odd ones; each struct holds its own number, and what is taken is cleared.
    static bool AgreesWithAList<T>(int[] steps, int closeAt)
        where T : struct, ICounted
    {
        var pool = new StructPool<T>();
        var held = new List<(Pooled<T> Item, long Value)>();
        bool isCleared = true;
        for (int i = 0; i < steps.Length; i++)
        {
            if (i == closeAt)
            {
                pool.Close();
            }

            if (steps[i] % 2 == 0 || held.Count == 0)
            {
                Pooled<T> taken = pool.Take();
                isCleared &= taken.Value.Value == 0;
                taken.Value.Value = i + 1;
                held.Add((taken, i + 1));
            }
            else
            {
                int place = (steps[i] & 0x7FFF_FFFF) % held.Count;
                Pooled<T> item = held[place].Item;
                pool.Return(ref item);
                held.RemoveAt(place);
            }
        }

        bool isKept = held.All(one => one.Item.Value.Value == one.Value);
        GC.KeepAlive(pool); // with which its memory goes
        return isCleared && isKept;
    }

    static Pooled<Large> Filled(StructPool<Large> pool, long value)
    {
        Pooled<Large> item = pool.Take();
        item.Value.Value = value;
        return item;
    }

    static Pooled<Small> Filled(StructPool<Small> pool, long value)
    {
        Pooled<Small> item = pool.Take();
        item.Value.Value = value;
        return item;
    }

    struct Small : ICounted
    {
        public long Value { get; set; }
    }

    struct Large : ICounted
    {
        Room _room;

        public long Value
        {
            readonly get => _room[0];
            set => _room[0] = _room[90 - 1] = value;
        }
    }

    [InlineArray(90)]
    struct Room
    {
        long _first;
    }

    struct Referring : ICounted
    {
        object? _boxed;

        public long Value
        {
            readonly get => _boxed as long? ?? 0;
            set => _boxed = value;
        }
    }
}
