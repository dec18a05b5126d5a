/** Webhooks, API keys and access tokens in a real browser. */
import { expect, test } from "bun:test";
import { addInvitations, addMember } from "@test/support/accounts/tenants";
import { type PageOptions, startBrowser } from "@test/support/browser/browser";
import { lastButton as button, goBack, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { expectSigned, startReceiver } from "@test/support/outside/webhooks";
import { type Account, startTestService } from "@test/support/service";
import { until } from "@test/support/until";

const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" } });
const receiver = startReceiver();
const ada = await service.register();
const browser = await startBrowser();
const { body: organization } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
const isOpen = `!!document.querySelector(".dialog")`;
const secret = `document.querySelector("[role=dialog] pre")?.innerText`;
const last = `[...document.querySelectorAll("[role=dialog] pre")].at(-1)?.innerText`;

async function openTab(tab: string, account: Account = ada, options?: PageOptions) {
  const page = await openSignedInPage(browser, service, account, options);
  await page.open(`${service.url}/app/o/${organization.slug}/developers/${tab}`);
  return page;
}

test("a webhook is created and receives an event; its delivery is inspected and sent again", async () => {
  const page = await openTab("webhooks");
  await page.until(says("Notify another system"));
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`${button("Create webhook")}.click()`);
  await page.until(`!!${labelled("URL")}`);
  await page.evaluate(`${labelled("URL")}.focus()`);
  await page.type("nowhere");
  await page.press("Enter");
  await page.until(`${labelled("URL")}.getAttribute("aria-invalid") === "true"`);
  await page.evaluate(`${labelled("URL")}.select()`);
  await page.type(receiver.url);
  await page.evaluate(`${labelled("A link is created")}.click()`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("webhook-form");
  await page.press("Enter");
  await page.until(`${secret}?.startsWith("whsec_")`);
  const signedWith = await page.evaluate<string>(secret);
  await page.takeScreenshots("webhook-secret");
  await page.evaluate(`${button("Done")}.click()`);
  await page.until(`!${isOpen} && ${says(receiver.url)}`);
  await page.takeScreenshots("webhooks");
  expect(await page.faults()).toEqual([]);

  receiver.answer = () => new Response("busy", { status: 500 });
  await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
  const [first] = await receiver.until(1);
  if (first) expectSigned(first, signedWith);
  await page.evaluate(`document.querySelector("main td a").click()`);
  await page.until(says("Responded with 500"));
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("webhook-log");
  await page.evaluate(`${button("Details")}.click()`);
  await page.until(`${last} === "busy" && ${secret}.startsWith("{")`);
  const shown = await page.evaluate<string>(secret);
  expect(shown).toBe(JSON.stringify(JSON.parse(first?.text ?? ""), null, 2));
  await page.evaluate(`navigator.clipboard.writeText = async (text) => void (window.copied = text)`);
  await page.evaluate(`document.querySelector("[role=dialog] pre + button").click()`);
  await page.until(`window.copied === ${JSON.stringify(first?.text)}`);
  expect(await page.evaluate<string>("location.search")).toContain("delivery=");
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("webhook-delivery");
  receiver.answer = () => new Response("thanks");
  await page.evaluate(`${button("Send again")}.click()`);
  await page.until(`${last} === "thanks"`);
  const again = (await receiver.until(2))[1];
  expect(again?.body.id).toBe(first?.body.id ?? "");

  const [at] = (await page.evaluate<string>("location.href")).split("?");
  const delivery = new URLSearchParams(await page.evaluate<string>("location.search")).get("delivery");
  await page.press("Escape");
  await page.until(`!${isOpen}`);
  await goBack(page);
  expect(await page.evaluate<boolean>(`${isOpen} || location.search !== ""`)).toBe(false);
  // With this filter the list is empty, but the URL still opens the delivery.
  await page.open(`${at}?status=dropped&delivery=${delivery}`);
  await page.until(`${last} === "thanks" && ${secret}.startsWith("{") && ${says("No deliveries")}`);
  expect(await page.evaluate<string>(secret)).toBe(JSON.stringify(JSON.parse(again?.text ?? ""), null, 2));
  await page.open(`${at}?delivery=${crypto.randomUUID()}`);
  await page.until(`!!document.querySelector("[role=dialog] [role=alert]")`);
  // Responses of the API to invalid input are expected.
  expect(page.complaints.filter((text) => !/40[04]/.test(text))).toEqual([]);
});

/** Messages stay. On a busy machine, the time for Undo may otherwise be over before the test comes to it. */
const MESSAGES_STAY = "setTimeout = ((set) => (act, ms, ...of) => (ms > 5_000 ? 0 : set(act, ms, ...of)))(setTimeout)";

test("a webhook is tested, turned off and deleted", async () => {
  const page = await openTab("webhooks", ada, { begin: MESSAGES_STAY });
  const menu = `document.querySelector("main td .button.lone")`;
  const item = (text: string) =>
    `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText.trim() === ${JSON.stringify(text)})`;
  const choose = async (text: string) => {
    await page.until(`!!${menu} && !document.querySelector("[role=menu], .dialog")`);
    await page.evaluate(`${menu}.click()`);
    await page.until(`!!${item(text)}`);
    await page.evaluate(`${item(text)}.click()`);
  };
  await choose("Send a test event");
  await page.until(`!!${button("Send")}`);
  await page.evaluate(`${button("Send")}.click()`);
  await page.until(says("Accepted by the endpoint"));
  expect(await page.evaluate<string>(secret)).toBe(
    JSON.stringify(JSON.parse(receiver.received.at(-1)?.text ?? ""), null, 2),
  );
  expect(await page.evaluate<string>(last)).toBe("thanks");
  // On a phone the end of a tall dialog can be reached.
  await page.look({ width: 360, height: 800 });
  await page.until(`innerWidth === 360 && (({ bottom }) => bottom > 760 &&
    !!document.elementFromPoint(180, bottom - 8)?.closest(".dialog"))(document.querySelector(".dialog").getBoundingClientRect())`);
  await page.look({ width: 1_440, height: 900 });
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("webhook-test");
  await page.press("Escape");
  await choose("Turn off");
  await page.until(says("Webhook turned off"));
  await choose("Delete");
  await page.until(`!!${button("Delete")} && ${isOpen}`);
  await page.evaluate(`${button("Delete")}.click()`);
  await page.until(says("Notify another system"));
  // What cannot be undone any more is told, although its row has left the list.
  await page.evaluate(`${button("Undo")}.click()`);
  await page.until(says("There is no such webhook"));
  expect(page.complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

test("among the tokens of many members, those of one are found by their address, also after going back", async () => {
  const tokens = `/api/v1/organizations/${ada.orgId}/access-tokens`;
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const create = (who: Account, name: string) =>
    service.call("POST", tokens, { ...who, body: { name, scopes: ["read"], expiresAt } });
  for (let at = 0; at < 11; at++) await create(ada, `Job ${at}`);
  const bob = await addMember(service, ada.orgId, "member");
  await create(bob, "Nightly");
  const page = await openTab("access-tokens");
  const shown = `[...document.querySelectorAll("main tbody tr")]`;
  await page.until(`${shown}.length === 12 && ${says(bob.email)}`);
  await page.press("/");
  await page.type(bob.email);
  await page.until(`${shown}.length === 1 && ${says("Nightly")} && location.search.startsWith("?search=")`);
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`document.querySelector("nav.tabs a[href$='/webhooks']").click()`);
  await page.until(`location.pathname.endsWith("/webhooks")`);
  await goBack(page);
  await page.until(`${shown}.length === 1 && ${says("Nightly")}`);
  expect(page.complaints).toEqual([]);
});

test("an API key is created, used with the shown command and revoked; a viewer sees only access tokens", async () => {
  const page = await openTab("api-keys");
  await page.until(`!!${button("Create API key")}`);
  // A dialog that was closed is not opened again.
  await page.evaluate(`${button("Create API key")}.click()`);
  await page.until(`${isOpen} && location.search === "?create="`);
  await page.press("Escape");
  await page.until(`!${isOpen} && location.search === ""`);
  await goBack(page);
  expect(await page.evaluate<string>("location.search")).toBe("");
  await page.open(`${service.url}/app/o/${organization.slug}/developers/api-keys`);
  await page.until(`!!${button("Create API key")}`);
  await page.evaluate(`${button("Create API key")}.click()`);
  await page.until(`!!${labelled("Name")}`);
  await page.evaluate(`${labelled("Name")}.focus()`);
  await page.type("Checkout server");
  await page.evaluate(`${labelled("Create links (links:write)")}.click()`);
  await page.takeScreenshots("key-form");
  await page.evaluate(`${button("Create")}.focus()`);
  await page.press("Enter");
  await page.until(
    `${secret}?.startsWith("wm_live_") && document.querySelector(".dialog").contains(document.activeElement)`,
  );
  // Neither a second Enter nor Escape takes away what is shown only once.
  await page.press("Enter");
  await page.press("Escape");
  await page.until(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`);
  expect(await page.evaluate<boolean>(`!!${secret}?.startsWith("wm_live_")`)).toBe(true);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("key-created");
  const command = await page.evaluate<string>(`[...document.querySelectorAll("[role=dialog] pre")].at(-1).innerText`);
  const [, address = "", authorization = "", body = ""] =
    command.match(/^curl (\S+) -H 'Authorization: ([^']+)' .* -d '(.+)'$/) ?? [];
  const headers = { authorization, "content-type": "application/json" };
  const use = () => fetch(address, { method: "POST", headers, body });
  expect((await use()).status).toBe(201);
  await page.evaluate(`${button("Done")}.click()`);
  await page.until(`!${isOpen} && ${says("Checkout server")}`);
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("api-keys");
  await page.evaluate(`${button("Revoke")}.click()`);
  await page.until(isOpen);
  await page.evaluate(`${button("Revoke")}.click()`);
  await page.until(says("Checkout server revoked"));
  await until(async () => (await use()).status === 401);
  expect(page.complaints).toEqual([]);

  // The members' list has the newest first, a hundred a page.
  await addInvitations(service, ada.orgId, 100);
  const token = { name: "Nightly sync", scopes: ["read"] };
  await service.call("POST", `/api/v1/organizations/${ada.orgId}/access-tokens`, { token: ada.token, body: token });
  await page.evaluate(`document.querySelector("nav.tabs a[href$=access-tokens]").click()`);
  await page.until(`document.querySelector("main td")?.innerText.includes(${JSON.stringify(ada.email)})`);
  expect(page.complaints).toEqual([]);

  const viewer = await addMember(service, ada.orgId, "viewer");
  const his = await openTab("webhooks", viewer);
  await his.until(`!!${button("Create access token")}`);
  expect(await his.evaluate<string>(`document.querySelector("nav.tabs").innerText.trim()`)).toBe("Access tokens");
  expect(his.complaints).toEqual([]);
});

test("a webhook that two people edit at the same time keeps what each of them changed", async () => {
  const webhooks = `/api/v1/organizations/${ada.orgId}/webhooks`;
  const body = { url: receiver.url, events: ["click"] };
  const { _id } = (await service.call<{ _id: string }>("POST", webhooks, { ...ada, body })).body;
  const page = await openTab(`webhooks?edit=${_id}`);
  await page.until(
    `!!${labelled("Description")} && document.querySelector(".dialog").contains(document.activeElement)`,
  );
  const theirs = { url: `${receiver.url}new`, events: ["link.created"] };
  await service.call("PATCH", `${webhooks}/${_id}`, { ...ada, body: theirs });
  await page.evaluate(`${labelled("Description")}.focus()`);
  await page.type("For the shop");
  await page.press("Enter");
  await page.until(`!${isOpen}`);
  const { body: saved } = await service.call<{ webhooks: object[] }>("GET", webhooks, ada);
  expect(saved.webhooks).toContainEqual(expect.objectContaining({ _id, ...theirs, description: "For the shop" }));
  await service.call("DELETE", `${webhooks}/${_id}`, ada);
  expect(page.complaints).toEqual([]);
});
