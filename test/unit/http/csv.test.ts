import { describe, expect, test } from "bun:test";
import { type Cell, csvLine } from "@/core/csv/cells";
import { attachment, csvResponse } from "@/http/csv";

describe("a line", () => {
  test.each<[string, Cell[], string]>([
    ["ends with CR and LF", ["a", "b"], "a,b"],
    ["has numbers as they are, negative ones too", [0, -1.5, 149.7], "0,-1.5,149.7"],
    ["has nothing for null and for empty text", [null, "", 1], ",,1"],
    ["quotes commas", ["a,b", "c"], '"a,b",c'],
    ["quotes line breaks", ["a\nb", "c\r\nd"], '"a\nb","c\r\nd"'],
    ["doubles quotes", ['say "hi"'], '"say ""hi"""'],
    ["keeps spaces and other scripts", [" a ", "日本"], " a ,日本"],
  ])("%s", (_, cells, line) => {
    expect(csvLine(cells)).toBe(`${line}\r\n`);
  });

  test.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["\r=1", `"'\r=1"`],
    ['=HYPERLINK("http://evil.test","x")', `"'=HYPERLINK(""http://evil.test"",""x"")"`],
    ["\n=1", `"'\n=1"`],
    [" =1", "' =1"],
    ["\u00a0=1", "'\u00a0=1"],
    ["\u3000@a", "'\u3000@a"],
    ["\u200b=1", "'\u200b=1"],
    ["\u200e\u200f+1", "'\u200e\u200f+1"],
    ["\u2060\ufeff-1", "'\u2060\ufeff-1"],
    ["\u202e=1", "'\u202e=1"],
    ["\u00ad@a", "'\u00ad@a"],
    ["\u0000=1", "'\u0000=1"],
    ["\u034f\ufe0f=1", "'\u034f\ufe0f=1"],
    ["\u3164=1", "'\u3164=1"],
    ["\uff1d1", "'\uff1d1"],
    ["\uff0b1", "'\uff0b1"],
    ["\uff0d1", "'\uff0d1"],
    ["\uff20a", "'\uff20a"],
    ["\u200b \uff1d1", "'\u200b \uff1d1"],
    ["\ufe661", "'\ufe661"],
    ["a=1", "a=1"],
    ["\u200ba=1", "\u200ba=1"],
    ["é-1", "é-1"],
  ])("neutralises %j where a spreadsheet would calculate", (text, field) => {
    expect(csvLine([text])).toBe(`${field}\r\n`);
  });
});

describe("a filename", () => {
  test("in ASCII is used unchanged", () => {
    expect(attachment("analytics-2026.csv")).toBe('attachment; filename="analytics-2026.csv"');
  });

  test("in other characters is sent in full next to an ASCII version, and cannot break out of either", () => {
    expect(attachment('Été "a";\r\n../b.csv')).toBe(
      `attachment; filename="_t_ _a_;__.._b.csv"; filename*=UTF-8''%C3%89t%C3%A9%20%22a%22%3B%0D%0A..%2Fb.csv`,
    );
  });
});

describe("a CSV response", () => {
  const options = { filename: "a.csv", header: ["n"], failed: () => {} };

  test("fails as a whole if the first rows fail", async () => {
    const chunks = chunksOf(0, new Error("Postgres is unavailable"));
    expect(await csvResponse({ ...options, chunks }).catch(String)).toBe("Error: Postgres is unavailable");
  });

  test("breaks off and reports the error if later rows fail", async () => {
    const failures: unknown[] = [];
    const failed = (error: unknown) => failures.push(error);
    const response = await csvResponse({
      ...options,
      failed,
      chunks: chunksOf(2, new Error("Postgres is unavailable")),
    });
    expect(await response.text().catch(String)).toBe("Error: Postgres is unavailable");
    expect(failures.map(String)).toEqual(["Error: Postgres is unavailable"]);
  });

  test("has the header, then the rows of all chunks", async () => {
    const response = await csvResponse({ ...options, chunks: chunksOf(3) });
    expect(await response.text()).toBe("n\r\n0\r\n1\r\n2\r\n");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="a.csv"');
  });

  test("reads no more rows ahead than needed, and stops when the client disconnects", async () => {
    const asked = { chunks: 0, isOver: false };
    const response = await csvResponse({ ...options, chunks: chunksOf(1_000, undefined, asked) });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    await Bun.sleep(20);
    expect(asked.chunks).toBeLessThan(5);
    await reader?.cancel();
    expect(asked).toEqual({ chunks: asked.chunks, isOver: true });
  });

  test.each<[string, Error | undefined, string[]]>([
    ["nothing is reported if the client disconnects while rows are being read", undefined, []],
    ["rows that fail after the client has disconnected are reported", new Error("broken"), ["Error: broken"]],
    ["a read that gave way to others because the client has disconnected is not", abandoned(), []],
  ])("%s", async (_, failure, expected) => {
    const gate = Promise.withResolvers<void>();
    const failures: unknown[] = [];
    const response = await csvResponse({
      ...options,
      failed: (error) => failures.push(error),
      chunks: (async function* () {
        yield [[0]];
        await gate.promise;
        if (failure) throw failure;
        yield [[1]];
      })(),
    });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    const cancelled = reader?.cancel();
    gate.resolve();
    await cancelled;
    expect(failures.map(String)).toEqual(expected);
  });
});

async function* chunksOf(count: number, failure?: Error, asked = { chunks: 0, isOver: false }) {
  try {
    for (let index = 0; index < count; index++) {
      asked.chunks++;
      yield [[index]];
    }
    if (failure) throw failure;
  } finally {
    asked.isOver = true;
  }
}

const abandoned = () => Object.assign(new Error("The client disconnected"), { code: "REQUEST_ABANDONED" });
