/** The files of many QR codes: their names, and requests that stay within the API's limit. */
import { describe, expect, test } from "bun:test";
import { ApiFailure } from "@/dashboard/api/failures";
import { fetchCodes } from "@/dashboard/links/qr-codes/fetch-codes";
import { fileNames } from "@/dashboard/links/qr-codes/file-names";

describe("a file is named after its short URL", () => {
  test.each([
    ["https://go.example.com/spring", "go.example.com-spring.svg"],
    ["http://localhost:3000/promo/spring", "localhost-3000-promo-spring.svg"],
    ["https://go.example.com/%C3%BCber", "go.example.com-über.svg"],
    ["https://go.example.com/50%", "go.example.com-50.svg"],
    ["https://go.example.com/a%2F..%2F..%2Fetc%2Fpasswd", "go.example.com-a-..-..-etc-passwd.svg"],
    ["https://go.example.com/con.", "go.example.com-con.svg"],
    ["https://go.example.com/a%3Cb%3E%3A%22%7C%3F*%5C", "go.example.com-a-b.svg"],
    ["https://go.example.com/gpj%E2%80%AEexe", "go.example.com-gpj-exe.svg"],
    [`https://go.example.com/${"日".repeat(200)}`, `go.example.com-${"日".repeat(45)}.svg`],
    ["https://👍", "code.svg"],
  ])("%s", (shortUrl, name) => {
    expect(fileNames("svg")(shortUrl)).toBe(name);
    expect(Buffer.byteLength(name)).toBeLessThan(255);
  });

  test("with a unique name, even where case is ignored", () => {
    const nameOf = fileNames("png");
    const names = ["/a", "/A", "/a", "/a-2", "/b"].map((path) => nameOf(`https://x.com${path}`));
    expect(names).toEqual(["x.com-a.png", "x.com-A-2.png", "x.com-a-3.png", "x.com-a-2-2.png", "x.com-b.png"]);
  });
});

const link = (name: string) => ({ shortUrl: `https://x.com/${name}` });
const LINKS = ["a", "b", "c", "d", "e"].map(link);
const BYTES = new Uint8Array(1);

/** Returns what happens to each link, depending on what `read` does. */
async function fetched(read: (shortUrl: string) => Promise<void>, signal = new AbortController().signal) {
  const seen = { codes: [] as string[], failed: [] as string[], waits: 0 };
  await fetchCodes(LINKS, {
    signal,
    read: async ({ shortUrl }) => {
      await read(shortUrl);
      return BYTES;
    },
    onCode: ({ shortUrl }) => void seen.codes.push(shortUrl),
    onFailed: ({ shortUrl, text }) => void seen.failed.push(`${shortUrl} ${text}`),
    onWait: (isWaiting) => {
      seen.waits += Number(isWaiting);
    },
  });
  return seen;
}

describe("codes are fetched", () => {
  test("each once, three at a time", async () => {
    let [running, most] = [0, 0];
    const { codes, failed } = await fetched(async () => {
      most = Math.max(most, ++running);
      await Bun.sleep(1);
      running--;
    });
    expect([codes.toSorted(), failed, most]).toEqual([LINKS.map(({ shortUrl }) => shortUrl), [], 3]);
  });

  test("again after the wait that the API requests", async () => {
    const refused = new Set(["https://x.com/a", "https://x.com/d"]);
    const { codes, failed, waits } = await fetched(async (shortUrl) => {
      if (refused.delete(shortUrl)) throw new ApiFailure(shortUrl.endsWith("a") ? 429 : 503, "Too many", [], 0.001);
    });
    expect([codes.length, failed, waits]).toEqual([5, [], 2]);
  });

  test("except those that fail, which are reported", async () => {
    const { codes, failed } = await fetched(async (shortUrl) => {
      if (shortUrl.endsWith("b")) throw new ApiFailure(404, "link not found");
    });
    expect([codes.length, failed]).toEqual([4, ["https://x.com/b link not found"]]);
  });

  test("no more once the monthly limit is reached", async () => {
    let asked = 0;
    const { codes, failed } = await fetched(async () => {
      if (++asked > 2) throw new ApiFailure(429, "Used up", [], 86_400);
    });
    expect([codes.length, failed.length, asked]).toEqual([2, 3, asked]);
    expect(asked).toBeLessThanOrEqual(5);
  });

  test("no more once they are cancelled, even during a wait", async () => {
    const controller = new AbortController();
    const fetching = fetched(async () => {
      setTimeout(() => controller.abort(), 1);
      throw new ApiFailure(429, "Too many", [], 60);
    }, controller.signal);
    await expect(fetching).rejects.toThrow();
  });
});
