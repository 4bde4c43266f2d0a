using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Text;
using TcpDiag.Doctor;

namespace TcpDiag.Cli.Tests.Languages;

/// <summary>
/// The templates of all messages that the code of an assembly can make, read from its instructions: the compiler makes an interpolated string a call for each
/// piece and hole, and a plain one a conversion. What is converted and is no literal cannot be translated.
/// </summary>
static class MessagesOf
{
    static readonly Dictionary<short, OpCode> OpCodesByValue = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => code.Value);

    /// <summary>The templates; those in front of which a question mark stands are put together at run time.</summary>
    public static IReadOnlyCollection<string> Assembly(Assembly assembly) =>
    [
        .. assembly.GetTypes().Where(type => type != typeof(Message))
            .SelectMany(type => type.GetMembers(
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly))
            .OfType<MethodBase>().SelectMany(Of).Distinct(StringComparer.Ordinal),
    ];

    static List<string> Of(MethodBase method)
    {
        List<string> found = [];
        Stack<Open> open = [];
        Instruction[] all = [.. Instructions(method)];
        HashSet<int> targets = [.. all.SelectMany(instruction => instruction.Targets)];
        for (int i = 1; i < all.Length; i++)
        {
            if (all[i].Member is not MethodBase { DeclaringType: { } type } called || type != typeof(Message))
            {
                continue;
            }

            string? literal = all[i - 1].Text;
            switch (called.Name)
            {
                case ".ctor":
                    open.Push(new(all[i - 2].Number, all[i - 1].Number));
                    break;
                case nameof(Message.AppendLiteral):
                    open.Peek().Literal(literal!);
                    break;
                case nameof(Message.AppendFormatted):
                    open.Peek().Hole();
                    break;
                case "op_Implicit":
                    // A branch that leads here brings another text.
                    found.Add(literal is null || targets.Contains(all[i].Offset) ? $"? {method.DeclaringType}.{method.Name}: {literal}" : literal);
                    break;
            }

            if (open.TryPeek(out Open? top) && top.IsWhole)
            {
                found.Add(open.Pop().Template);
            }
        }

        return found;
    }

    static IEnumerable<Instruction> Instructions(MethodBase method)
    {
        byte[] code = method.GetMethodBody()?.GetILAsByteArray() ?? [];
        for (int at = 0; at < code.Length;)
        {
            int offset = at;
            short value = code[at] == 0xFE ? (short)((code[at] << 8) | code[at + 1]) : code[at];
            OpCode opcode = OpCodesByValue[value];
            at += opcode.Size;
            int length = Length(opcode, code.AsSpan(at));
            yield return Read(method, opcode, code.AsSpan(at, length), offset, at + length);
            at += length;
        }
    }

    static int Length(OpCode opcode, ReadOnlySpan<byte> rest) => opcode.OperandType switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(rest)),
        _ => 4,
    };

    static Instruction Read(MethodBase method, OpCode opcode, ReadOnlySpan<byte> operand, int offset, int next)
    {
        Module module = method.Module;
        Type[]? ofType = method.DeclaringType!.IsGenericType ? method.DeclaringType.GetGenericArguments() : null;
        Type[]? ofMethod = method.IsGenericMethod ? method.GetGenericArguments() : null;
        return opcode.OperandType switch
        {
            OperandType.InlineString => new(offset) { Text = module.ResolveString(BitConverter.ToInt32(operand)) },
            OperandType.InlineMethod => new(offset) { Member = module.ResolveMethod(BitConverter.ToInt32(operand), ofType, ofMethod) },
            OperandType.ShortInlineBrTarget => new(offset) { Targets = [next + (sbyte)operand[0]] },
            OperandType.InlineBrTarget => new(offset) { Targets = [next + BitConverter.ToInt32(operand)] },
            OperandType.InlineI => new(offset) { Number = BitConverter.ToInt32(operand) },
            OperandType.ShortInlineI => new(offset) { Number = (sbyte)operand[0] },
            _ => new(offset) { Number = Short(opcode) },
        };
    }

    // ldc.i4.3 loads a 3.
    static int Short(OpCode opcode) => opcode.Name is { } name && name.StartsWith("ldc.i4.", StringComparison.Ordinal)
        && int.TryParse(name["ldc.i4.".Length..], CultureInfo.InvariantCulture, out int number) ? number : 0;

    sealed record Instruction(int Offset)
    {
        public string? Text { get; init; }

        public MemberInfo? Member { get; init; }

        public int Number { get; init; }

        public int[] Targets { get; init; } = [];
    }

    // What the compiler has said of a message: the length of its pieces, and how many holes it has.
    sealed class Open(int literalLength, int holes)
    {
        readonly StringBuilder _template = new();
        int _left = literalLength;
        int _holes;

        public bool IsWhole => _left == 0 && _holes == holes;

        public string Template => _template.ToString();

        public void Literal(string text)
        {
            _template.Append(text);
            _left -= text.Length;
        }

        public void Hole() => _template.Append(CultureInfo.InvariantCulture, $"{{{_holes++}}}");
    }
}
