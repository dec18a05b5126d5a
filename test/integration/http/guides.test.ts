/** What the README and the guides tell a reader to type works, in the given order. */
import { describe, expect, test } from "bun:test";
import { PIXEL } from "@test/support/match";
import { takePort } from "@test/support/servers/test-port";
import { type Account, startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { OrganizationExport } from "@/contract/accounts/exports";
import { GUIDES } from "@/http/docs/guide";
import { claimClipboard, claimReferrer } from "@/http/docs/guide/examples/claim-install";
import { type AppStart, linkOfStart } from "@/http/docs/guide/examples/first-start";
import { openLink } from "@/http/docs/guide/examples/open-link";
import { connect, shorten } from "@/http/docs/guide/examples/typed-client";
import { isFromWaymark } from "@/http/docs/guide/examples/verify-webhook";

const service = await startTestService();
const account = await service.register();

/** What the quick start has set before the other guides are read. */
const KNOWN = { API: `${service.url}/api/v1`, TOKEN: account.token, ORG: account.orgId };

/** An organization writes one archive at a time. */
async function isWritingArchive({ token, orgId }: Account): Promise<boolean> {
  const path = `/api/v1/organizations/${orgId}/exports`;
  const { body } = await service.call<{ exports: OrganizationExport[] }>("GET", path, { token });
  return body.exports.some(({ status }) => status === "queued" || status === "running");
}

/** Returns the shell commands of a Markdown file. */
const commandsIn = async (path: string): Promise<string> => {
  const blocks = (await Bun.file(path).text()).matchAll(/^```sh\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, block = ""]) => block).join("\n");
};

/**
 * Runs the commands up to the first that fails; any response other than success is a failure. `sleep` waits for the
 * expected clicks instead.
 */
async function type(commands: string, known: Record<string, string> = KNOWN) {
  const script = `set -euo pipefail
curl() { command curl --fail-with-body "$@"; }
sleep() { waited=0; until psql_count; do command sleep 0.05; waited=$((waited + 1)); [ $waited -lt 600 ]; done; }
psql_count() { command curl -s "$API/organizations/$ORG/analytics/overview" -H "Authorization: Bearer $TOKEN" | grep -q '"totalClicks":2'; }
${commands.replaceAll("http://localhost:3000", service.url)}`;
  const shell = Bun.spawn(["bash", "-c", script], {
    stdout: "pipe",
    stderr: "pipe",
    env: {
      ...process.env,
      ...known,
    },
  });
  const [output, errors, status] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
    shell.exited,
  ]);
  return { output, errors, status };
}

const unescaped = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

describe("commands", () => {
  test.each(["README.md", "src/http/docs/guide/quick-start.md"])(
    "of %s succeed, and print the number of clicks last",
    async (path) => {
      const fresh = await startTestService();
      const commands = (await commandsIn(path)).replaceAll("http://localhost:3000", fresh.url);
      const { output, errors, status } = await type(commands);
      expect({ status, errors: status === 0 ? "" : output + errors }).toEqual({ status: 0, errors: "" });
      expect(output.trimEnd().split("\n").at(-1)).toBe("2 clicks");
    },
  );

  test("of the README and of all guides succeed one after another, for a reader who knows nothing else", async () => {
    const fresh = await startTestService();
    const paths = ["README.md", ...GUIDES.map((name) => `src/http/docs/guide/${name}.md`)];
    const commands = (await Promise.all(paths.map(commandsIn)))
      .join("\n")
      .replaceAll("http://localhost:3000", fresh.url);
    const { output, errors, status } = await type(commands, {});
    expect({ status, errors: status === 0 ? "" : output + errors }).toEqual({ status: 0, errors: "" });
  });

  test("of the README and of all guides succeed again, for the same reader and for the next one", async () => {
    const paths = ["README.md", ...GUIDES.map((name) => `src/http/docs/guide/${name}.md`)];
    const commands = await Promise.all(paths.map(commandsIn));
    const reader = await service.register();
    for (const [index, typed] of [...commands, ...commands].entries()) {
      await until(async () => !(await isWritingArchive(reader)));
      const { output, errors, status } = await type(typed, { ...KNOWN, TOKEN: reader.token, ORG: reader.orgId });
      const path = paths[index % paths.length];
      expect({ path, status, errors: status === 0 ? "" : output + errors }).toEqual({ path, status: 0, errors: "" });
    }
    const { output, errors, status } = await type(commands.join("\n"), {});
    expect({ status, errors: status === 0 ? "" : output + errors }).toEqual({ status: 0, errors: "" });
  });

  test("of the quick start succeed as its page shows them", async () => {
    const fresh = await startTestService();
    const html = await (await fetch(`${fresh.url}/docs/guide/quick-start`)).text();
    const blocks = [...html.matchAll(/<code class="language-sh">([\s\S]*?)<\/code>/g)];
    const commands = blocks.map(([, block = ""]) => unescaped(block)).join("\n");
    const { output, errors, status } = await type(commands, {});
    expect({ status, errors: status === 0 ? "" : output + errors }).toEqual({ status: 0, errors: "" });
    expect(output.trimEnd().split("\n").at(-1)).toBe("2 clicks");
  });

  test.each(GUIDES.filter((name) => name !== "quick-start"))("of the guide %s succeed", async (name) => {
    const { output, errors, status } = await type(await commandsIn(`src/http/docs/guide/${name}.md`));
    expect({ status, errors: status === 0 ? "" : output + errors }).toEqual({ status: 0, errors: "" });
  });
});

describe("examples", () => {
  test("the typed client creates a link, which the app's code opens", async () => {
    const shortUrl = await shorten(service.url, account.token, account.orgId, "https://example.com/typed");
    expect((await openLink(service.url, shortUrl, "ios"))?.destinationUrl).toBe("https://example.com/typed");
    const referred = await openLink(service.url, `${shortUrl}?ref=ada&name=%C3%BC%26+`, "ios");
    expect(referred?.destinationUrl).toBe("https://example.com/typed?ref=ada&name=%C3%BC%26+");
    const escaped = await service.createLink(account, { slug: "東京", defaultUrl: "https://example.com/escaped" });
    expect((await openLink(service.url, escaped.shortUrl, "ios"))?.destinationUrl).toBe("https://example.com/escaped");
    expect(await openLink(service.url, `${service.url}/no-such-link`, "ios")).toBeNull();
    const locked = await service.createLink(account, { defaultUrl: "https://example.com/locked", password: "sesame" });
    expect(openLink(service.url, locked.shortUrl, "ios")).rejects.toThrow("403");
    expect((await openLink(service.url, `${locked.shortUrl}?pw=sesame`, "ios"))?.destinationUrl).toContain("/locked");
  });

  test("the typed client leaves text that looks like a date as it is, as its types say", async () => {
    const waymark = connect(service.url, account.token);
    const body = { defaultUrl: "https://example.com/dated", title: "2026-01-31" };
    const { data } = await waymark.api.v1.organizations({ orgId: account.orgId }).links.post(body);
    expect([data?.title, data?.createdAt.slice(0, 2)]).toEqual(["2026-01-31", "20"]);
  });

  test("the app claims an install by the Play referrer and by the clipboard", async () => {
    const home = `/api/v1/organizations/${account.orgId}`;
    const body = {
      name: "Shop",
      ios: { appStoreId: "284882215" },
      android: { packageName: "com.acme.claimed" },
    };
    const app = await service.call<{ _id: string }>("POST", `${home}/apps`, { token: account.token, body });
    const link = await service.createLink(account, {
      ...{
        defaultUrl: "https://example.com/claimed",
        appProfileId: app.body._id,
        deepLinkPayload: { screen: "offer" },
      },
    });
    const claimed = {
      matched: true,
      destinationUrl: "https://example.com/claimed",
      deepLinkPayload: { screen: "offer" },
    };
    const referrer = async () => {
      const { headers } = await service.visit(link, { "user-agent": PIXEL });
      return new URL(headers.get("location") ?? "").searchParams.get("referrer") ?? "";
    };
    expect(await claimReferrer(service.url, await referrer())).toMatchObject(claimed);
    // On the clipboard, the token of a visit is part of the short URL.
    expect(await claimClipboard(service.url, `${link.shortUrl}?${await referrer()}`)).toMatchObject(claimed);
    expect(await claimClipboard(service.url, link.shortUrl)).toBeNull();
    expect(await claimClipboard(service.url, "a shopping list")).toBeNull();
  });

  test("the app finds its link by URL, or on its first start by the Play referrer or the clipboard", async () => {
    const body = { name: "First", android: { packageName: "com.acme.first" } };
    const home = `/api/v1/organizations/${account.orgId}`;
    const app = await service.call<{ _id: string }>("POST", `${home}/apps`, { token: account.token, body });
    const defaultUrl = "https://example.com/started";
    const link = await service.createLink(account, { defaultUrl, appProfileId: app.body._id });
    const { headers } = await service.visit(link, { "user-agent": PIXEL });
    const referrer = new URL(headers.get("location") ?? "").searchParams.get("referrer");
    const none = async () => null;
    const clip = async () => `${link.shortUrl}?${referrer}`;
    const start: AppStart = {
      ...{ platform: "android", url: null, isFirst: true, clipboard: none },
      installReferrer: async () => referrer,
    };
    const led = async (changed: Partial<AppStart>) =>
      (await linkOfStart(service.url, { ...start, ...changed }))?.destinationUrl;
    expect(await led({ url: link.shortUrl })).toContain("id=com.acme.first");
    expect(await led({ isFirst: false })).toBeUndefined();
    const nowhere = `http://127.0.0.1:${await takePort()}`;
    await expect(linkOfStart(nowhere, { ...start, platform: "ios", clipboard: clip })).rejects.toThrow();
    expect(await led({ installReferrer: async () => "utm_source=google-play" })).toBeUndefined();
    expect(await led({ platform: "ios", clipboard: clip })).toBe(defaultUrl);
    expect(await led({ installReferrer: none })).toBeUndefined();
  });

  test("a signature is checked over the whole body", () => {
    const secret = "whsec_c2VjcmV0";
    const body = '{"id":"1"}';
    const signature = `sha256=${new Bun.CryptoHasher("sha256", secret).update(body).digest("hex")}`;
    expect(isFromWaymark(body, signature, secret)).toBe(true);
    expect(isFromWaymark(`${body} `, signature, secret)).toBe(false);
    expect(isFromWaymark(body, "sha256=00", secret)).toBe(false);
    expect(isFromWaymark(body, null, secret)).toBe(false);
  });
});
