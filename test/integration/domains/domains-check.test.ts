/** What is wrong with a host and how to fix it, checked over real TLS as a phone would. */
import { afterAll, describe, expect, test } from "bun:test";
import { makeCertificate } from "@test/support/servers/certificates";
import type { DnsRecord, DomainCheck } from "@/contract/domains";
import { DAY_MS } from "@/core/time/time-range";
import { createDoctor } from "@/modules/domains/doctor";
import { createOutbound, OutboundError } from "@/platform/outbound/outbound";

const HOST = "go.acme.com";
const APP_ID = "A1B2C3D4E5.com.acme.shop";
const FINGERPRINT = Array.from({ length: 32 }, () => "A1").join(":");
const APPLE = { applinks: { details: [{ appIDs: [APP_ID], components: [{ "/": "*" }] }] } };
const ANDROID = [
  {
    relation: ["delegate_permission/common.handle_all_urls"],
    target: { namespace: "android_app", package_name: "com.acme.shop", sha256_cert_fingerprints: [FINGERPRINT] },
  },
];
const txt: DnsRecord = {
  type: "TXT",
  name: `_waymark.${HOST}`,
  value: "waymark-1",
  isRequired: true,
  found: ["waymark-1"],
  status: "ok",
};
const cname: DnsRecord = {
  type: "CNAME",
  name: HOST,
  value: "edge.example",
  isRequired: false,
  found: ["edge.example"],
  status: "ok",
};
const right = makeCertificate({ names: [HOST] });

interface Host {
  certificate?: { cert: string; key: string };
  /** True if no trusted authority has signed the certificate. */
  isUntrusted?: boolean;
  apple?: () => Response | Promise<Response>;
  android?: () => Response;
  /** The copy that Apple's CDN has; defaults to the correct file. */
  appleCopy?: () => Response;
  records?: DnsRecord[];
}

/** Returns the checks of a host as described, which is otherwise set up correctly. */
async function check(host: Host): Promise<Map<string, DomainCheck>> {
  const { certificate = right, apple = () => Response.json(APPLE), android = () => Response.json(ANDROID) } = host;
  const { appleCopy = () => Response.json(APPLE) } = host;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: certificate,
    routes: {
      "/.well-known/apple-app-site-association": apple,
      "/.well-known/assetlinks.json": android,
      [`/a/v1/${HOST}`]: appleCopy,
    },
    fetch: () => new Response("none", { status: 404 }),
  });
  afterAll(() => server.stop(true));
  return checkAt(`https://${HOST}:${server.port}`, host.isUntrusted ? right.cert : certificate.cert, host.records);
}

async function checkAt(origin: string, ca: string, records = [txt, cname], address = "127.0.0.1") {
  const outbound = createOutbound({ allow: ["127.0.0.1"], lookup: async () => [{ address, family: 4 }], ca });
  const doctor = createDoctor({
    outbound,
    clock: Date.now,
    originOf: () => origin,
    appleCopyOf: (host) => `${origin}/a/v1/${host}`,
  });
  const checks = await doctor(HOST, Promise.resolve(records));
  return new Map(checks.map((one) => [one.check, one]));
}

const statuses = (checks: Map<string, DomainCheck>) => [...checks.values()].map(({ status }) => status);

test("a correctly configured host passes all checks", async () => {
  const checks = await check({});
  expect([...checks.keys()]).toEqual([
    "ownership",
    "address",
    "tls",
    "apple-app-site-association",
    "apple-cdn",
    "assetlinks",
  ]);
  expect(statuses(checks)).toEqual(new Array(6).fill("ok"));
  expect([...checks.values()].filter(({ advice }) => advice !== undefined)).toEqual([]);
  expect(checks.get("tls")?.found).toMatch(
    /^Certificate for go\.acme\.com from Waymark tests, valid until \d{4}-\d\d-\d\d$/,
  );
  expect(checks.get("apple-app-site-association")?.found).toBe(`Names ${APP_ID}`);
});

describe("Apple's copy", () => {
  test.each<[string, Response, DomainCheck["status"]]>([
    ["that is not there", new Response(null, { status: 404 }), "warning"],
    ["that is older", Response.json({ applinks: { details: [] } }), "warning"],
    ["that is no JSON", new Response("<html>"), "warning"],
    ["that Apple does not tell of", new Response(null, { status: 503 }), "unknown"],
  ])("%s", async (_, response, status) => {
    expect((await check({ appleCopy: () => response })).get("apple-cdn")?.status).toBe(status);
  });

  test("is not requested while the host's own file is wrong", async () => {
    let asked = 0;
    const appleCopy = () => Response.json({ asked: ++asked });
    const checks = await check({ apple: () => Response.json({ applinks: { details: [] } }), appleCopy });
    expect([checks.get("apple-cdn")?.status, asked]).toEqual(["unknown", 0]);
  });
});

describe("DNS", () => {
  test.each<[string, DnsRecord[], string, string]>([
    ["a TXT record that is missing", [{ ...txt, found: [], status: "missing" }, cname], "ownership", "failed"],
    ["a wrong TXT record", [{ ...txt, found: ["x"], status: "wrong" }, cname], "ownership", "failed"],
    ["silent name servers", [{ ...txt, found: [], status: "unknown" }, cname], "ownership", "unknown"],
    ["no address", [txt, { ...cname, found: [], status: "missing" }], "address", "failed"],
    ["a proxy's address", [txt, { ...cname, found: ["192.0.2.1"], status: "wrong" }], "address", "warning"],
    ["an address nobody tells", [txt, { ...cname, found: [], status: "unknown" }], "address", "unknown"],
  ])("%s", async (_, records, name, status) => {
    const found = (await check({ records })).get(name);
    expect(found).toMatchObject({ status, advice: expect.any(String) });
  });
});

describe("TLS", () => {
  test.each([
    ["for another name", { certificate: makeCertificate({ names: ["other.example"] }) }],
    ["that is over", { certificate: makeCertificate({ names: [HOST], until: new Date(Date.now() - DAY_MS) }) }],
    ["nobody vouches for", { certificate: makeCertificate({ names: [HOST] }), isUntrusted: true }],
  ])("a certificate %s fails, and leaves the files unknown", async (_, host) => {
    const checks = await check(host);
    expect(statuses(checks)).toEqual(["ok", "ok", "failed", "unknown", "unknown", "unknown"]);
    expect(checks.get("tls")?.advice).toContain("certificate");
  });

  test("a certificate that expires soon is a warning", async () => {
    const until = new Date(Date.now() + 5 * DAY_MS);
    const { status, advice } =
      (await check({ certificate: makeCertificate({ names: [HOST], until }) })).get("tls") ?? {};
    expect([status, advice]).toEqual(["warning", expect.stringContaining("expires soon")]);
  });

  test.each([
    ["nobody at the address", "127.0.0.1", "port 443"],
    ["an address that is not public", "10.0.0.1", "public address"],
  ])("%s", async (_, address, advice) => {
    const checks = await checkAt(`https://${HOST}:1`, right.cert, [txt, cname], address);
    expect(checks.get("tls")).toMatchObject({ status: "failed", advice: expect.stringContaining(advice) });
  });
});

describe("many hosts at once", () => {
  test("are checked up to a limit, and simultaneous checks of one host share their requests", async () => {
    const { promise: late, reject: end } = Promise.withResolvers<never>();
    const asked: string[] = [];
    const outbound = {
      async request(url: string | URL) {
        asked.push(new URL(url).hostname);
        return late;
      },
    };
    const doctor = createDoctor({ outbound, clock: Date.now });
    const look = (hostname: string) => doctor(hostname, Promise.resolve([txt, cname]));
    const alike = [look("same.acme.com"), look("same.acme.com")];
    const others = Array.from({ length: 100 }, (_, index) => look(`go${index}.acme.com`));
    const refused = (await others.at(-1)) ?? [];
    expect(asked.length).toBeLessThanOrEqual(40);
    expect(asked.filter((hostname) => hostname === "same.acme.com")).toHaveLength(2);
    expect(refused.map(({ check, status }) => [check, status])).toContainEqual(["tls", "unknown"]);
    expect(refused.find(({ check }) => check === "tls")?.found).toContain("try again shortly");
    end(new OutboundError("timeout", "It took too long"));
    const [one, other] = await Promise.all(alike);
    expect(one).toEqual(other);
    await Promise.all(others);
    const before = asked.length;
    await look("go99.acme.com");
    expect(asked.length).toBe(before + 2);
  });
});

describe("association files", () => {
  test.each<[string, () => Response, string, RegExp]>([
    ["that are not there", () => new Response("", { status: 404 }), "failed", /^Status 404$/],
    [
      "behind a redirect",
      () => Response.redirect("https://acme.com/x", 301),
      "failed",
      /^Redirects to https:\/\/acme\.com\/x$/,
    ],
    ["of another type", () => new Response("[]", { headers: { "content-type": "text/html" } }), "failed", /text\/html/],
    [
      "that are no JSON",
      () => new Response("<", { headers: { "content-type": "application/json" } }),
      "failed",
      /JSON/,
    ],
    ["that name nothing", () => Response.json([]), "warning", /no app/],
    ["that are something else", () => Response.json("text"), "warning", /no app/],
    ["that are null", () => Response.json(null), "warning", /no app/],
    ["larger than phones take", () => Response.json("x".repeat(130 * 1024)), "failed", /larger/],
  ])("%s", async (_, answer, status, found) => {
    const checks = await check({ apple: answer, android: answer });
    for (const name of ["apple-app-site-association", "assetlinks"]) {
      const one = checks.get(name);
      expect([one?.status, one?.found]).toEqual([status, expect.stringMatching(found)]);
      expect(one?.advice).toBeDefined();
    }
  });

  test("an App ID without its team fails", async () => {
    const file = { applinks: { details: [{ appIDs: ["com.acme.shop"] }] } };
    const one = (await check({ apple: () => Response.json(file) })).get("apple-app-site-association");
    expect(one).toMatchObject({ status: "failed", found: "App ID com.acme.shop is not well-formed" });
  });

  test("the older form of an App ID is accepted", async () => {
    const file = { applinks: { apps: [], details: [{ appID: APP_ID, paths: ["*"] }] } };
    expect((await check({ apple: () => Response.json(file) })).get("apple-app-site-association")?.status).toBe("ok");
  });

  test("a lowercase fingerprint fails, because Android does not accept it", async () => {
    const target = { ...ANDROID[0]?.target, sha256_cert_fingerprints: [FINGERPRINT.toLowerCase()] };
    const one = (await check({ android: () => Response.json([{ ...ANDROID[0], target }]) })).get("assetlinks");
    expect(one).toMatchObject({ status: "failed", found: expect.stringContaining("not well-formed") });
  });
});
