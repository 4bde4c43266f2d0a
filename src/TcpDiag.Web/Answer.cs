using System;
using System.Globalization;
using System.IO;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using TcpDiag.Report.Site;

namespace TcpDiag.Web;

/// <summary>What is answered.</summary>
/// <param name="Status">The status.</param>
/// <param name="ContentType">The type of the body.</param>
/// <param name="Body">The body, complete: a fault while it is made is answered with another status.</param>
sealed record Answer(int Status, string ContentType, ReadOnlyMemory<byte> Body)
{
    const string Html = "text/html; charset=utf-8";
    const string Nothing = "default-src 'none'";

    /// <summary>What a browser may do with it.</summary>
    public string Policy { get; init; } = Nothing;

    /// <summary>When the store was read for it; null where it was read for this answer.</summary>
    public DateTimeOffset? AsOf { get; init; }

    /// <summary>A page.</summary>
    /// <param name="write">Writes it.</param>
    /// <param name="status">The status.</param>
    public static Answer Page(Action<Stream> write, int status = StatusCodes.Status200OK) => new(status, Html, Written(write)) { Policy = SitePage.Policy };

    /// <summary>A JSON document.</summary>
    /// <param name="write">Writes it.</param>
    public static Answer Json(Action<TextWriter> write) => new(StatusCodes.Status200OK, "application/json", Written(stream =>
    {
        using var text = new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true) { NewLine = "\n" };
        write(text);
    }));

    /// <summary>A text.</summary>
    public static Answer Plain(string text, string type = "text/plain; charset=utf-8") => new(StatusCodes.Status200OK, type, Encoding.UTF8.GetBytes(text));

    /// <summary>A page, or for a program a JSON document, that says what is wrong.</summary>
    /// <param name="status">The status.</param>
    /// <param name="isProgram">Whether a program asks.</param>
    /// <param name="title">What is wrong, in two or three words.</param>
    /// <param name="text">A sentence or two.</param>
    public static Answer Refusal(int status, bool isProgram, string title, string text) => isProgram
        ? new(status, "application/json", Encoding.UTF8.GetBytes(JsonText.Error(text)))
        : Page(stream => MessagePage.Write(stream, title, text, status is not (StatusCodes.Status401Unauthorized or StatusCodes.Status421MisdirectedRequest)),
        status);

    /// <summary>Sends it.</summary>
    public Task Send(HttpContext context)
    {
        HttpResponse response = context.Response;
        response.StatusCode = Status;
        response.ContentType = ContentType;
        response.ContentLength = Body.Length;
        IHeaderDictionary headers = response.Headers;
        headers.ContentSecurityPolicy = $"{Policy}; frame-ancestors 'none'";
        headers.XContentTypeOptions = "nosniff";
        headers.XFrameOptions = "DENY";
        headers.CacheControl = "no-store";
        headers.LastModified = AsOf?.ToString("R", CultureInfo.InvariantCulture);
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        return HttpMethods.IsHead(context.Request.Method) ? Task.CompletedTask : response.Body.WriteAsync(Body, context.RequestAborted).AsTask();
    }

    static ReadOnlyMemory<byte> Written(Action<Stream> write)
    {
        var body = new MemoryStream();
        write(body);
        return body.GetBuffer().AsMemory(0, (int)body.Length);
    }
}

/// <summary>What is wrong, for a program.</summary>
/// <param name="Error">A sentence.</param>
sealed record ErrorDocument(string Error);

/// <summary>Serialises <see cref="ErrorDocument"/> without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ErrorDocument))]
sealed partial class WebJsonContext : JsonSerializerContext;

/// <summary>Short JSON documents.</summary>
static class JsonText
{
    /// <summary>What is wrong.</summary>
    public static string Error(string text) => JsonSerializer.Serialize(new ErrorDocument(text), WebJsonContext.Default.ErrorDocument) + "\n";
}
