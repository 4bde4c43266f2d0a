using System.Globalization;
using System.Linq;
using System.Management.Automation;
using System.Text;
using System.Text.Json;

namespace TcpDiag.Scripts.Tests;

/// <summary>Stands in for ConvertFrom-Json, whose module is no package: a document as 5.1 gives it, one object.</summary>
[Cmdlet(VerbsData.ConvertFrom, "Json")]
public sealed class FromJsonCommand : PSCmdlet
{
    readonly StringBuilder _text = new();

    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true)]
    public string InputObject { get; set; } = string.Empty;

    protected override void ProcessRecord() => _text.AppendLine(CultureInfo.InvariantCulture, $"{InputObject}");

    protected override void EndProcessing()
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(_text.ToString());
            WriteObject(Convert(document.RootElement), enumerateCollection: false);
        }
        catch (JsonException exception)
        {
            ThrowTerminatingError(new ErrorRecord(exception, "NoJson", ErrorCategory.InvalidData, InputObject));
        }
    }

    static object? Convert(JsonElement value)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                var made = new PSObject();
                foreach (JsonProperty property in value.EnumerateObject())
                {
                    made.Properties.Add(new PSNoteProperty(property.Name, Convert(property.Value)));
                }

                return made;
            case JsonValueKind.Array:
                return value.EnumerateArray().Select(Convert).ToArray();
            case JsonValueKind.Number:
                return value.TryGetInt64(out long whole) ? whole : value.GetDouble();
            case JsonValueKind.String:
                return value.GetString();
            case JsonValueKind.True or JsonValueKind.False:
                return value.GetBoolean();
            default:
                return null;
        }
    }
}
