/** A change that was acknowledged holds for the very next request to the same server, without any waiting. */
import { beforeAll, describe, expect, test } from "bun:test";
import { startTestDns } from "@test/support/servers/dns";
import { CLIENT_HEADER, startTestService } from "@test/support/service";
import type { Domain, DomainConfiguration } from "@/contract/domains";
import type { Link } from "@/contract/links/links";

const ROUNDS = 40;
const DOMAINS = 10;
const SERVICE_HOST = "edge.waymark.example";

const dns = await startTestDns();
const service = await startTestService({ env: { BASE_URL: `https://${SERVICE_HOST}`, DNS_SERVERS: dns.address } });
const ada = await service.register();
const { token, orgId } = ada;
const home = `/api/v1/organizations/${orgId}`;

async function change<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const reply = await service.call<Body>(method, path, { token, body });
  expect([reply.status, method, path]).toEqual([reply.status < 300 ? reply.status : 200, method, path]);
  return reply.body;
}

let visitors = 0;
/** Visits from a new address each time, so that none is taken for a prober. */
const visit = (host: string, path: string) =>
  service.visit(path, {
    host,
    accept: "application/json",
    [CLIENT_HEADER]: `10.9.${++visitors >> 8}.${visitors & 255}`,
  });
const statusAt = async (host: string, path: string) => (await visit(host, path)).status;
const isServed = async (host: string) => (await service.call("GET", `/internal/tls/ask?domain=${host}`)).status;

async function prove({ _id }: Domain): Promise<void> {
  const path = `${home}/domains/${_id}/configuration`;
  const { records } = await change<DomainConfiguration>("GET", path);
  dns.set("TXT", records[0]?.name ?? "", records[0]?.value ?? "");
}

async function addVerified(hostname: string): Promise<Domain> {
  const domain = await change<Domain>("POST", `${home}/domains`, { hostname });
  await prove(domain);
  return change<Domain>("POST", `${home}/domains/${domain._id}/verify`);
}

describe("the next request sees", () => {
  let app: Domain;
  beforeAll(async () => {
    app = await addVerified("app.acme.com");
  });

  test("the files, certificate and links of a domain just verified, and none of one just deleted", async () => {
    for (let round = 0; round < DOMAINS; round++) {
      const hostname = `go${round}.acme.com`;
      expect([await statusAt(hostname, "/spring"), await isServed(hostname)]).toEqual([404, 404]);
      const { _id, isVerified } = await addVerified(hostname);
      expect(isVerified).toBe(true);
      const answers = [await statusAt(hostname, "/.well-known/assetlinks.json"), await isServed(hostname)];
      const link = await service.createLink(ada, { domainId: _id, slug: "spring", defaultUrl: "https://example.com/" });
      expect([...answers, await statusAt(hostname, "/spring")]).toEqual([200, 200, 302]);
      await change("DELETE", `${home}/links/${link._id}`);
      expect(await statusAt(hostname, "/spring")).toBe(404);
      await change("DELETE", `${home}/domains/${_id}`);
      expect([await statusAt(hostname, "/.well-known/assetlinks.json"), await isServed(hostname)]).toEqual([404, 404]);
    }
  });

  test("that a domain starts or stops hosting the dashboard", async () => {
    const path = `${home}/domains/${app._id}/dashboard`;
    for (let round = 0; round < ROUNDS; round++) {
      await change("PATCH", path, { enabled: true });
      const hosted = [await statusAt("app.acme.com", "/app"), await statusAt("app.acme.com", "/health")];
      await change("PATCH", path, { enabled: false });
      const ceased = [await statusAt("app.acme.com", "/app"), await statusAt("app.acme.com", "/health")];
      expect([round, hosted.includes(404), ceased]).toEqual([round, false, [404, 404]]);
    }
  });

  test("the changed redirects of a domain for its root and unknown paths", async () => {
    const path = `${home}/domains/${app._id}`;
    for (let round = 0; round < ROUNDS; round++) {
      const to = `https://example.com/${round}`;
      await change("PATCH", path, { redirects: { root: to, notFound: to } });
      const sent = [await visit("app.acme.com", "/"), await visit("app.acme.com", "/nowhere")];
      expect(sent.map(({ headers }) => headers.get("location"))).toEqual([to, to]);
      await change("PATCH", path, { redirects: null });
      expect([await statusAt("app.acme.com", "/"), await statusAt("app.acme.com", "/nowhere")]).toEqual([404, 404]);
    }
  });

  test("a changed link and changed settings of the organization", async () => {
    const link = await service.createLink(ada, {
      domainId: app._id,
      slug: "moving",
      defaultUrl: "https://example.com/0",
    });
    for (let round = 1; round <= ROUNDS; round++) {
      const destination = `https://example.com/${round}`;
      await change<Link>("PATCH", `${home}/links/${link._id}`, { defaultUrl: destination });
      expect((await visit("app.acme.com", "/moving")).headers.get("location")).toBe(destination);
    }
    for (let round = 1; round <= ROUNDS; round++) {
      await change("PATCH", home, { settings: { appendClickId: round % 2 === 1 } });
      const location = (await visit("app.acme.com", "/moving")).headers.get("location");
      expect([round, location?.includes("wm_cid=")]).toEqual([round, round % 2 === 1]);
    }
  });
});
