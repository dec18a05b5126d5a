/** The Kotlin code of the guide for apps is compiled, and does on a JVM what the guide says. */
import { afterAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { compileKotlin, java, runKotlin } from "@test/support/kotlin/kotlin";
import { PIXEL } from "@test/support/match";
import { startTestService } from "@test/support/service";

const GUIDE = "src/http/docs/guide";

/** An activity of the guide's two blocks: what follows a link that opened the app, and the app's first start. */
async function activityOfGuide(): Promise<string> {
  const blocks = [...(await Bun.file(`${GUIDE}/apps.md`).text()).matchAll(/^```kotlin\n([\s\S]*?)^```$/gm)];
  expect(blocks).toHaveLength(2);
  const [opened, started] = blocks.map(([, block = ""]) => block);
  return `import kotlin.concurrent.thread

class App(private val links: WaymarkLinks, private val intent: Intent, private val context: Context) : Activity() {
    private fun show(answer: JSONObject) = println(answer)
    fun opened() {
        ${opened}
    }
    fun started() {
        ${started}
    }
}
`;
}

test.skipIf(java === null)(
  "an app in Kotlin opens links and claims installs",
  async () => {
    const app = await compileKotlin([`${GUIDE}/examples/WaymarkLinks.kt`], { "App.kt": await activityOfGuide() });
    afterAll(() => rm(app, { recursive: true }));
    const service = await startTestService();
    const account = await service.register();
    const profile = { name: "Shop", android: { packageName: "com.acme.kotlin" } };
    const path = `/api/v1/organizations/${account.orgId}/apps`;
    const registered = await service.call<{ _id: string }>("POST", path, { token: account.token, body: profile });
    const promo = await service.createLink(account, {
      ...{ slug: "東京", defaultUrl: "https://example.com/promo", deepLinkPayload: { screen: "offer" } },
    });
    const shop = await service.createLink(account, {
      ...{
        defaultUrl: "https://example.com/shop",
        appProfileId: registered.body._id,
        deepLinkPayload: { screen: "shop" },
      },
    });
    const locked = await service.createLink(account, { defaultUrl: "https://example.com/locked", password: "sesame" });
    const referrer = async () => {
      const { headers } = await service.visit(shop, { "user-agent": PIXEL });
      return new URL(headers.get("location") ?? "").searchParams.get("referrer") ?? "";
    };
    const run = (...args: string[]) => runKotlin(app, [service.url, ...args]);

    const [opened = "", odd = "", missing, refused, claimed = "", none = ""] = await run(
      ...["open", promo.shortUrl],
      ...["open", `${promo.shortUrl}?utm_content=a|b&name=%C3%BC#top`],
      ...["open", `${service.url}/no-such-link`],
      ...["open", locked.shortUrl],
      ...["claim", await referrer()],
      ...["claim", 'utm_source=google-play&note="quoted\\'],
    );
    expect(JSON.parse(opened)).toMatchObject({ destinationUrl: "https://example.com/promo" });
    expect(JSON.parse(opened).deepLinkPayload).toEqual({ screen: "offer" });
    expect(new URL(JSON.parse(odd).destinationUrl).searchParams.get("utm_content")).toBe("a|b");
    expect([missing, refused]).toEqual(["null", "Waymark returned 403; try again at the next start"]);
    expect(JSON.parse(claimed)).toMatchObject({ matched: true, deepLinkPayload: { screen: "shop" } });
    expect(JSON.parse(none)).toEqual({ matched: false });

    const [shown = ""] = await run("opened", promo.shortUrl);
    expect(JSON.parse(shown)).toMatchObject({ destinationUrl: "https://example.com/promo" });
    const [first = ""] = await run("started", await referrer());
    expect(JSON.parse(first)).toMatchObject({ matched: true, destinationUrl: "https://example.com/shop" });
    expect(await run("started", "utm_source=google-play")).toEqual([""]);
  },
  240_000,
);
