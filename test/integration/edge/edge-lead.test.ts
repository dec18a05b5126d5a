/** A form before the destination, from first showing it to sending its visitor on. */
import { describe, expect, test } from "bun:test";
import { addApp } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { IPHONE, visitorOf, visitTokenIn } from "@test/support/forms";
import { startTestService } from "@test/support/service";
import type { LinkInput } from "@/contract/links/links";
import { LEAD_BYTES_MAX, LEAD_TEXTAREA_MAX } from "@/core/pages/lead-form";

let now = Date.UTC(2030, 5, 15, 12);
const HOUR_MS = 3_600_000;
const service = await startTestService({ clock: () => now });
const ada = await service.register();
const defaultUrl = "https://example.com/thanks?a=1";
const leadCapture = {
  enabled: true,
  title: "Get <the> guide",
  description: "We send it & more.",
  fields: [
    { name: "email", label: "Your email", type: "email" as const, required: true },
    { name: "note", label: "A note", type: "textarea" as const },
  ],
  consentText: "I agree",
};
const create = (input: Partial<LinkInput> = {}) => service.createLink(ada, { defaultUrl, leadCapture, ...input });
const link = await create({ slug: "guide" });
const answers = { email: "ada@example.com", note: "Hello", consent: "yes" };

/** Each test uses a new visitor, because forms are limited by address. */
let visitors = 0;
const visitor = () => visitorOf(service, `192.0.2.${++visitors}`);
const leadsOf = (linkId: string) => service.sql`select * from leads where link_id = ${linkId} order by id`;
const clicksOf = async (linkId: string) => {
  await waitUntilDrained(service.service);
  const rows = await service.sql`select id, is_bot, split_key from clicks where link_id = ${linkId} order by id`;
  return rows.map(({ id, is_bot, split_key }) => ({ id, isBot: is_bot, splitKey: split_key }));
};

describe("400", () => {
  test("shows the form again with the entered values and each field's error", async () => {
    const { open, send } = visitor();
    const pass = visitTokenIn(await (await open("/guide")).text());
    const page = await send("/guide", { wm_pass: pass, email: 'no"<b>&lt;', note: "  </textarea>" });
    const html = await page.text();
    expect(page.status).toBe(400);
    expect(html).toContain('value="no&#34;&lt;b&gt;&amp;lt;"');
    expect(html).toContain("&lt;/textarea&gt;");
    expect(html).toMatch(/aria-invalid="true" aria-describedby="field-0-fault" type="email"/);
    expect(html).toContain('<p class="fault" id="field-0-fault">Please enter an email address');
    expect(html).toContain('<p class="fault" id="field-2-fault">Please check this box.');
    expect(visitTokenIn(html)).toBe(pass);
  });

  test("in JSON for requests that accept it", async () => {
    const { open, send } = visitor();
    const pass = visitTokenIn(await (await open("/guide")).text());
    const reply = await send("/guide", { wm_pass: pass, email: "no" }, { accept: "application/json" });
    expect(reply.status).toBe(400);
    const expected = ["email: expected an email address", "consent: is required"];
    expect(await reply.json()).toEqual({ error: "The form has invalid fields", details: expected });
  });
});

describe("403", () => {
  test("requests that accept JSON get the form's fields and do not count as clicks", async () => {
    const own = await create();
    const reply = await service.visit(own, { accept: "application/json", "user-agent": IPHONE });
    expect(reply.status).toBe(403);
    expect(await reply.json()).toEqual({
      error: "Fill in the form to open this link",
      details: ["email: required", "note: required", "consent: required"],
    });
    expect(await clicksOf(own._id)).toEqual([]);
  });
});

test.each(["PUT", "DELETE"])("405 for %s", async (method) => {
  expect((await fetch(link.shortUrl, { method, redirect: "manual" })).status).toBe(405);
});

test("413 for a form larger than any form of ours, with or without a declared length", async () => {
  const { send } = visitor();
  const body = `note=${"a".repeat(LEAD_BYTES_MAX)}`;
  expect((await send("/guide", body)).status).toBe(413);
  expect((await send("/guide", "a&".repeat(100))).status).toBe(413);
  const stream = new Response(body).body;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  expect((await fetch(link.shortUrl, { method: "POST", redirect: "manual", headers, body: stream })).status).toBe(413);
});

test("429 after sixty forms a minute, with the entered values", async () => {
  const { open, send } = visitor();
  const pass = visitTokenIn(await (await open("/guide")).text());
  for (let forms = 0; forms < 60; forms++) {
    expect((await send("/guide", { wm_pass: pass, email: "no" })).status).toBe(400);
  }
  const page = await send("/guide", { ...answers, wm_pass: pass });
  expect([page.status, page.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await page.text()).toContain('value="ada@example.com"');
  const reply = await send("/guide", { ...answers, wm_pass: pass }, { accept: "application/json" });
  expect([reply.status, Object(await reply.json()).error]).toEqual([429, expect.stringContaining("Too many forms")]);
});

test("303 for answers as phones write them, which are stored in plain characters", async () => {
  const fields = [
    { name: "phone", label: "Your phone", type: "tel" as const, required: true },
    { name: "size", label: "Your size", type: "number" as const },
  ];
  const own = await create({ leadCapture: { enabled: true, fields } });
  const { open, send } = visitor();
  const pass = visitTokenIn(await (await open(`/${own.slug}`)).text());
  const page = await send(`/${own.slug}`, {
    wm_pass: pass,
    phone: "\u202a+1\u00a0(555)\u00a0123\u20114567\u202c",
    size: "١٫٥",
  });
  expect(page.status).toBe(303);
  expect(await leadsOf(own._id)).toMatchObject([{ fields: { phone: "+1 (555) 123-4567", size: "1.5" } }]);
});

test("503 with the entered values while leads cannot be stored; sending it again later stores it", async () => {
  const own = await create();
  const { open, send } = visitor();
  const fields = { ...answers, wm_pass: visitTokenIn(await (await open(`/${own.slug}`)).text()) };
  await service.sql`alter table leads rename to leads_away`;
  const page = await send(`/${own.slug}`, fields);
  const html = await page.text();
  const reply = await send(`/${own.slug}`, fields, { accept: "application/json" });
  await service.sql`alter table leads_away rename to leads`;
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "1"]);
  expect([html.includes('value="ada@example.com"'), html.includes("cannot be saved right now")]).toEqual([true, true]);
  expect([reply.status, Object(await reply.json()).error]).toEqual([503, expect.stringContaining("cannot be saved")]);
  expect(service.logged()).toContain(`"requestId":"${page.headers.get("x-request-id")}"`);
  expect((await send(`/${own.slug}`, { ...fields, wm_pass: visitTokenIn(html) })).status).toBe(303);
  expect((await leadsOf(own._id)).length).toBe(1);
});

describe("200", () => {
  test("with the form's texts, field types and required marks", async () => {
    const page = await visitor().open("/guide");
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain("Get &lt;the&gt; guide</h1>");
    expect(html).toContain('<label for="field-0"><span dir="auto">Your email</span><small> (required)</small></label>');
    expect(html).toMatch(/<input id="field-0" name="email" required type="email" autocomplete="email"/);
    expect(html).toMatch(/<textarea id="field-1" name="note" rows="4"/);
    expect(html).toMatch(/<input id="field-2" name="consent" required type="checkbox" value="yes"/);
  });

  test("with a strict content security policy, not cached and not indexed", async () => {
    const { headers } = await visitor().open("/guide");
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'nonce-[^']+'; script-src 'nonce-[^']+'; img-src 'self'; form-action http: https:; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
  });

  test("with the form for programs that accept anything", async () => {
    const html = await (await service.visit(link, { accept: "*/*", "user-agent": "curl/8.5.0" })).text();
    expect(html).toContain("Get &lt;the&gt; guide");
  });

  test("with only the title and description for robots, without a form", async () => {
    const own = await create();
    const page = await service.visit(own, { accept: "text/html", "user-agent": "Twitterbot/1.0" });
    const html = await page.text();
    expect([page.status, html.includes("<form"), html.includes("email")]).toEqual([200, false, false]);
    expect(html).toContain('<meta name="description" content="We send it &amp; more."/>');
    expect(await clicksOf(own._id)).toEqual([{ id: expect.any(String), isBot: true, splitKey: null }]);
  });

  test("without a body for HEAD", async () => {
    const page = await fetch(link.shortUrl, { method: "HEAD" });
    expect([page.status, await page.text()]).toEqual([200, ""]);
  });

  test("with the form and the entered values again if its token is missing, invalid or another link's", async () => {
    const other = visitTokenIn(
      await (await visitor().open((await create({ slug: "other" })).shortUrl.slice(service.url.length))).text(),
    );
    const passes: Record<string, string>[] = [{}, { wm_pass: "x" }, { wm_pass: other }];
    for (const pass of passes) {
      const page = await visitor().send("/guide", { ...answers, ...pass });
      const html = await page.text();
      expect([page.status, html.includes('role="alert"')]).toEqual([200, true]);
      expect(html).toContain('value="ada@example.com"');
    }
  });

  test("with the form again for a token over an hour old, as a new visit", async () => {
    const own = await create({ maxClicks: 2 });
    const { open, send } = visitor();
    const path = `/${own.slug}`;
    const pass = visitTokenIn(await (await open(path)).text());
    now += HOUR_MS + 1;
    const late = await send(path, { ...answers, wm_pass: pass });
    const renewed = visitTokenIn(await late.text());
    expect([late.status, renewed === pass]).toEqual([200, false]);
    expect((await send(path, { ...answers, wm_pass: renewed })).status).toBe(303);
    expect([(await clicksOf(own._id)).length, (await leadsOf(own._id)).length]).toEqual([2, 1]);
    expect((await open(path)).status).toBe(410);
  });
});

describe("303", () => {
  test("to the destination with the visit's query, storing one click and one lead", async () => {
    const own = await create();
    const { open, send } = visitor();
    const path = `/${own.slug}?b=2&wm_x=1`;
    const pass = visitTokenIn(await (await open(path)).text());
    const sent = await send(path, { ...answers, email: " ada@example.com ", wm_pass: pass, other: "x" });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, `${defaultUrl}&b=2`]);
    const clicks = await clicksOf(own._id);
    expect(clicks.length).toBe(1);
    const [lead, ...others] = await leadsOf(own._id);
    expect(lead).toMatchObject({ org_id: ada.orgId, click_id: clicks[0]?.id, fields: answers });
    expect(others).toEqual([]);
  });

  test("for a field of maximum length in any script, and a content type in any case", async () => {
    const { open, send } = visitor();
    const pass = visitTokenIn(await (await open("/guide")).text());
    const fields = { ...answers, note: "漢".repeat(LEAD_TEXTAREA_MAX), wm_pass: pass };
    const type = { "content-type": "Application/X-WWW-Form-URLEncoded; charset=UTF-8" };
    expect((await send("/guide", fields, type)).status).toBe(303);
  });

  test("for a form sent repeatedly, which stores only one lead and one click", async () => {
    const own = await create();
    const { open, send } = visitor();
    const pass = visitTokenIn(await (await open(`/${own.slug}`)).text());
    const sending = Array.from({ length: 5 }, () => send(`/${own.slug}`, { ...answers, wm_pass: pass }));
    expect((await Promise.all(sending)).map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    expect([(await leadsOf(own._id)).length, (await clicksOf(own._id)).length]).toEqual([1, 1]);
  });

  test("to the split target drawn for the visit, with the click's id", async () => {
    const settings = { appendClickId: true };
    const path = `/api/v1/organizations/${ada.orgId}`;
    await service.call("PATCH", path, { token: ada.token, body: { settings } });
    const splitTargets = ["a", "b", "c", "d"].map((key) => ({ key, destinationUrl: `https://example.com/${key}` }));
    const own = await create({ splitTargets });
    for (let visits = 0; visits < 5; visits++) {
      const { open } = visitor();
      const pass = visitTokenIn(await (await open(`/${own.slug}`)).text());
      // By now the visitor is on another network.
      const sent = await visitor().send(`/${own.slug}`, { ...answers, wm_pass: pass });
      const { id, splitKey } = (await clicksOf(own._id)).at(-1) ?? {};
      expect(sent.headers.get("location")).toBe(`https://example.com/${splitKey}?wm_cid=${id}`);
    }
    await service.call("PATCH", path, { token: ada.token, body: { settings: { appendClickId: false } } });
  });

  test("to where the visit was sent when the form was shown, though other rules match by now", async () => {
    const rule = (name: string, addresses: string[]) => ({
      ...{ destinationUrl: `https://example.com/${name}`, conditions: { addresses } },
    });
    const [home, away] = [rule("home", ["192.0.2.0/24"]), rule("away", ["198.51.100.0/24"])];
    const own = await create({ rules: [home, away] });
    const pass = visitTokenIn(await (await visitor().open(`/${own.slug}`)).text());
    const elsewhere = visitorOf(service, "198.51.100.7");
    const sent = async (fields: Record<string, string> = answers) =>
      (await elsewhere.send(`/${own.slug}`, { ...fields, wm_pass: pass })).headers.get("location");
    expect(visitTokenIn(await (await elsewhere.send(`/${own.slug}`, { wm_pass: pass })).text())).toBe(pass);
    expect(await sent()).toBe("https://example.com/home");
    const path = `/api/v1/organizations/${ada.orgId}/links/${own._id}`;
    const change = (body: object) => service.call("PATCH", path, { token: ada.token, body });
    const moved = { number: 0, ...rule("new-home", ["192.0.2.0/24"]) };
    expect((await change({ rules: [{ number: 1, ...away }, moved] })).status).toBe(200);
    expect(await sent()).toBe("https://example.com/new-home");
    expect((await change({ rules: [{ number: 1, ...away }] })).status).toBe(200);
    expect(await sent()).toBe("https://example.com/away");
    expect((await leadsOf(own._id)).length).toBe(1);
  });

  test("with one admission of maxClicks and one password entry for the whole visit", async () => {
    const own = await create({ maxClicks: 1, password: "open sesame" });
    const { open, send } = visitor();
    const path = `/${own.slug}`;
    const asked = await open(path);
    expect([asked.status, (await asked.text()).includes('name="password"')]).toEqual([403, true]);
    const page = await send(path, { password: "open sesame" });
    const html = await page.text();
    expect([page.status, html.includes('role="alert"')]).toEqual([200, false]);
    const sent = await send(path, { ...answers, wm_pass: visitTokenIn(html) });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, defaultUrl]);
    expect((await open(path)).status).toBe(410);
    expect((await clicksOf(own._id)).length).toBe(1);
  });

  test("to a page that opens the app, which resolves the link, however long the last visitor took", async () => {
    const appProfileId = await addApp(service, ada.orgId, { ios: { appStoreId: "284882215", scheme: "acme" } });
    const own = await create({ maxClicks: 1, appProfileId });
    const { open, send } = visitor();
    const headers = { "user-agent": `${IPHONE} Instagram 331.0.0` };
    const pass = visitTokenIn(await (await open(`/${own.slug}`, headers)).text());
    now += HOUR_MS / 2;
    const page = await (await send(`/${own.slug}`, { ...answers, wm_pass: pass }, headers)).text();
    const [, query = ""] = /href="acme:[^"]*\?(wm_visit=[\w-]+)"/.exec(page) ?? [];
    const resolve = async (asked: Record<string, string>) => {
      const stated = new URLSearchParams({ domain: service.host, slug: own.slug, ...asked });
      return (await service.call("GET", `/api/v1/resolve?${stated}`)).status;
    };
    expect([await resolve({ query }), await resolve({})]).toEqual([200, 410]);
  });

  test("counts a prefetched form toward maxClicks once it is sent", async () => {
    const own = await create({ maxClicks: 1 });
    const { open, send } = visitor();
    const path = `/${own.slug}`;
    const ahead = await (await open(path, { "sec-purpose": "prefetch" })).text();
    expect([ahead.includes("<form"), visitTokenIn(ahead)]).toEqual([true, ""]);
    const page = await send(path, { ...answers, wm_pass: visitTokenIn(ahead) });
    const html = await page.text();
    expect([page.status, html.includes('value="ada@example.com"')]).toEqual([200, true]);
    expect((await open(path)).status).toBe(410);
    expect((await send(path, { ...answers, wm_pass: visitTokenIn(html) })).status).toBe(303);
  });

  test("does not count requests that only get the form's fields toward maxClicks", async () => {
    const own = await create({ maxClicks: 1 });
    expect((await service.visit(own, { accept: "application/json", "user-agent": IPHONE })).status).toBe(403);
    expect((await visitor().open(`/${own.slug}`)).status).toBe(200);
  });
});

describe("a form that was open when its link expired", () => {
  const expiring = (input: Partial<LinkInput> = {}) =>
    create({ expiresAt: new Date(now + 60_000).toISOString(), ...input });

  test("is taken, shown again if it has faults, and leads on, as one click", async () => {
    const own = await expiring({ password: "open sesame", expiredUrl: "https://example.com/over" });
    const { open, send } = visitor();
    const path = `/${own.slug}`;
    const pass = visitTokenIn(await (await send(path, { password: "open sesame" })).text());
    now += 60_000;
    expect((await open(path)).headers.get("location")).toBe("https://example.com/over");
    const again = await send(path, { ...answers, email: "no", wm_pass: pass });
    expect([again.status, visitTokenIn(await again.text())]).toEqual([400, pass]);
    const sent = await send(path, { ...answers, wm_pass: pass });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, defaultUrl]);
    expect((await leadsOf(own._id)).map(({ fields }) => fields)).toEqual([answers]);
    expect((await clicksOf(own._id)).length).toBe(1);
  });

  test("leads to the destination, not to the app, for which the link has ended", async () => {
    const appProfileId = await addApp(service, ada.orgId, { ios: { scheme: "acme" }, fallback: "web" });
    const own = await expiring({ appProfileId });
    const { open, send } = visitor();
    const headers = { "user-agent": `${IPHONE} Instagram 331.0.0` };
    const pass = visitTokenIn(await (await open(`/${own.slug}`, headers)).text());
    const early = await send(`/${own.slug}`, { ...answers, wm_pass: pass }, headers);
    expect(await early.text()).toContain('href="acme:');
    now += 60_000;
    const late = await send(`/${own.slug}`, { ...answers, wm_pass: pass }, headers);
    expect([late.status, late.headers.get("location")]).toEqual([303, defaultUrl]);
  });

  test("is refused an hour after it was opened, like any form without its token", async () => {
    const own = await expiring();
    const { open, send } = visitor();
    const path = `/${own.slug}`;
    const pass = visitTokenIn(await (await open(path)).text());
    now += HOUR_MS + 1;
    for (const wm_pass of [pass, "", "nothing"]) {
      const sent = await send(path, { ...answers, wm_pass });
      expect([sent.status, await sent.text()]).toEqual([410, expect.stringContaining("This link has expired")]);
    }
    expect((await send(path, "x".repeat(300_000))).status).toBe(410);
    expect((await leadsOf(own._id)).length).toBe(0);
  });
});

test.each([
  ["inactive", { isActive: false }, 404],
  ["expired", { expiresAt: "2020-01-01T00:00:00Z" }, 410],
] as const)("a link that has become %s meanwhile lets no form in", async (_, change, status) => {
  const own = await create();
  const { open, send } = visitor();
  const pass = visitTokenIn(await (await open(`/${own.slug}`)).text());
  const path = `/api/v1/organizations/${ada.orgId}/links/${own._id}`;
  expect((await service.call("PATCH", path, { token: ada.token, body: change })).status).toBe(200);
  expect((await send(`/${own.slug}`, { ...answers, wm_pass: pass })).status).toBe(status);
  expect((await leadsOf(own._id)).length).toBe(0);
});

describe("a form with more fields that was open when its link began to ask for less", () => {
  const fields = ["name", "story", "wish"].map((name) => ({ name, label: name, type: "textarea" as const }));
  const long = "語".repeat(LEAD_TEXTAREA_MAX);
  const older = { name: "Ada", story: long, wish: long };
  const opened = async (changed: Partial<LinkInput>, input: Partial<LinkInput> = {}) => {
    const own = await create({ leadCapture: { enabled: true, fields }, ...input });
    const { open, send } = visitor();
    const headers: Record<string, string> = input.password ? { "x-link-password": input.password } : {};
    const pass = visitTokenIn(await (await open(`/${own.slug}`, headers)).text());
    const path = `/api/v1/organizations/${ada.orgId}/links/${own._id}`;
    expect((await service.call("PATCH", path, { token: ada.token, body: changed })).status).toBe(200);
    return { own, sent: (values: Record<string, string>) => send(`/${own.slug}`, { ...values, wm_pass: pass }) };
  };

  test("303 with the answers that are still asked for", async () => {
    const { own, sent } = await opened({ leadCapture: { enabled: true, fields: fields.slice(0, 1) } });
    const reply = await sent(older);
    expect([reply.status, reply.headers.get("location")]).toEqual([303, defaultUrl]);
    expect((await leadsOf(own._id)).map((lead) => lead.fields)).toEqual([{ name: "Ada" }]);
  });

  test("400 with the entered values if a new field is missing", async () => {
    const asked = [fields[0], { name: "email", type: "email" as const, required: true }].flatMap((one) => one ?? []);
    const { sent } = await opened({ leadCapture: { enabled: true, fields: asked } });
    const reply = await sent(older);
    expect([reply.status, (await reply.text()).includes("\nAda</textarea>")]).toEqual([400, true]);
    expect((await sent({ ...older, email: "ada@example.com" })).status).toBe(303);
  });

  test("303 for the visitor who took the last place, if only the password is left", async () => {
    const { sent } = await opened({ leadCapture: null }, { password: "open sesame", maxClicks: 1 });
    expect((await sent(older)).status).toBe(303);
  });
});

test.each([
  ["while it was open", {}, "語".repeat(LEAD_TEXTAREA_MAX)],
  ["behind a password, with the only place taken,", { password: "open sesame", maxClicks: 1 }, "Hello"],
])("a form that was turned off %s leads on and stores nothing; it is one click", async (_, input, note) => {
  const own = await create(input);
  const { open, send } = visitor();
  const page =
    "password" in input ? await send(`/${own.slug}`, { password: input.password }) : await open(`/${own.slug}`);
  const pass = visitTokenIn(await page.text());
  const path = `/api/v1/organizations/${ada.orgId}/links/${own._id}`;
  const body = { leadCapture: { ...leadCapture, enabled: false } };
  expect((await service.call("PATCH", path, { token: ada.token, body })).status).toBe(200);
  const sent = await send(`/${own.slug}?b=2`, { ...answers, note, wm_pass: pass });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, `${defaultUrl}&b=2`]);
  expect((await leadsOf(own._id)).length).toBe(0);
  expect((await clicksOf(own._id)).length).toBe(1);
});

test("a form that is turned off is not shown", async () => {
  for (const enabled of [false, undefined]) {
    const own = await create({ leadCapture: { ...leadCapture, enabled } });
    expect((await visitor().open(`/${own.slug}`)).status).toBe(302);
  }
});
