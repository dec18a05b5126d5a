/**
 * Clients that disconnect in the middle of a request: this is no fault of the service, so nothing is logged or
 * counted.
 */
import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const ada = await service.register();
const lead = { enabled: true, fields: [{ name: "email", label: "Email", type: "email" as const }] };
const form = await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "form", leadCapture: lead });
await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "locked", password: "open sesame" });
await service.createLink(ada, {
  defaultUrl: "https://example.com/",
  slug: "few",
  password: "open sesame",
  maxClicks: 3,
});

/** Sends this much of a request and disconnects as soon as the server may have read it. */
function hangUp(path: string, headers: string[], body: string, how: "end" | "reset"): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(service.service.port, "127.0.0.1", () => {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: ${service.host}\r\n${headers.join("\r\n")}\r\n\r\n${body}`, () => {
        // The response to another request shows that the server has begun to read this one.
        service
          .call("GET", "/health")
          .then(() => (how === "reset" ? socket.resetAndDestroy() : socket.destroy()))
          .catch(reject);
      });
    });
    socket.on("error", () => {});
    socket.on("data", () => {});
    socket.once("close", () => resolve());
  });
}

const JSON_TYPE = "Content-Type: application/json";
const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded";
const bearer = `Authorization: Bearer ${ada.token}`;
const half = '{"defaultUrl": "https://exa';

let logged = 0;
/** Returns the warnings and errors logged since the previous call. */
const complaints = () => {
  const lines = service.logged().slice(logged).split("\n");
  logged = service.logged().length;
  return lines.filter((line) => /"level":"(?:warn|error)"|"status":5\d\d/.test(line));
};

/** More than what is sent ahead to a client that reads nothing. */
const LEADS = 4_000;
const LEAD_BYTES = 10_000;
const LOCK_LEADS = "lock table leads in access exclusive mode";

test("a client that hangs up while a part of its download is being read causes no error", async () => {
  await service.sql`
    insert into leads (id, org_id, link_id, click_id, visitor_id, fields, created_at)
    select gen_random_uuid(), ${ada.orgId}, ${form._id}, gen_random_uuid(), '9f3c1e0b7a25d486',
      jsonb_build_object('email', repeat('a', ${LEAD_BYTES})), now() - n * interval '1 second'
    from generate_series(1, ${LEADS}) as n`;
  const path = `/api/v1/organizations/${ada.orgId}/links/${form._id}/leads/export.csv`;
  const socket = connect(service.service.port, "127.0.0.1", () => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${service.host}\r\n${bearer}\r\n\r\n`);
  });
  await new Promise((resolve, reject) => socket.once("data", resolve).once("error", reject));
  socket.pause();
  await whileLocked(service.sql, LOCK_LEADS, async () => {
    socket.resume();
    await waitUntilBlocked(service.sql, 1);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.destroy();
    await closed;
    await service.call("GET", "/health");
    return undefined;
  });
  // Follows the read that waited.
  await whileLocked(service.sql, LOCK_LEADS, async () => undefined);
  await service.sql`delete from leads`;
  await service.call("GET", "/health");
  await Bun.sleep(50);
  expect(complaints()).toEqual([]);
});

describe.each(["end", "reset"] as const)("a client that hangs up (%s)", (how) => {
  test.each<[string, string, string[], string]>([
    [
      "in JSON of a known length",
      `/api/v1/organizations/${ada.orgId}/links`,
      [bearer, JSON_TYPE, "Content-Length: 900"],
      half,
    ],
    [
      "in JSON in chunks",
      `/api/v1/organizations/${ada.orgId}/links`,
      [bearer, JSON_TYPE, "Transfer-Encoding: chunked"],
      `1b\r\n${half}\r\n`,
    ],
    ["in a registration", "/api/v1/auth/register", [JSON_TYPE, "Content-Length: 900"], '{"name": "A'],
    ["in a claim", "/api/v1/match", [JSON_TYPE, "Content-Length: 900"], '{"matchToken": "A'],
    ["in a link's form", "/form", [FORM_TYPE, "Accept: text/html", "Content-Length: 900"], "email=ada%40exam"],
    ["in a link's password", "/locked", [FORM_TYPE, "Accept: text/html", "Content-Length: 900"], "password=open+ses"],
    [
      "in a password in chunks",
      "/few",
      [FORM_TYPE, "Accept: text/html", "Transfer-Encoding: chunked"],
      "8\r\npassword\r\n",
    ],
  ])("%s causes no error and no change", async (_, path, headers, body) => {
    await Promise.all(Array.from({ length: 10 }, () => hangUp(path, headers, body, how)));
    // Anything to report would be logged by the time a later request of the same kind has been answered and logged.
    await service.call("POST", "/api/v1/match", { body: { matchToken: "none" } });
    await Bun.sleep(50);
    expect(complaints()).toEqual([]);
    await waitUntilDrained(service.service);
    const [rows] = await service.sql`
      select (select count(*)::int from clicks) as clicks, (select count(*)::int from leads) as leads,
        (select count(*)::int from link_admissions) as places, (select count(*)::int from links) as links`;
    expect(rows).toEqual({ clicks: 0, leads: 0, places: 0, links: 3 });
  });
});
