/** Where the outbound client connects and where it never does, whatever a URL looks like or a resolver returns. */
import { describe, expect, test } from "bun:test";
import { startCanary } from "@test/support/outside/canary";
import { failureOf, startSite } from "@test/support/outside/site";
import { createOutbound, type Lookup } from "@/platform/outbound/outbound";

const canary = await startCanary();
const { port } = canary;
const strict = createOutbound({ allow: [] });

/** `PORT` stands for the canary's port. */
const PRIVATE_URLS = [
  "http://127.0.0.1:PORT/",
  "https://127.0.0.1:PORT/",
  "http://127.0.0.1.:PORT/",
  "http://127.0.0.9:PORT/",
  "http://127.1:PORT/",
  "http://127.0.1:PORT/",
  "http://127:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f000001:PORT/",
  "http://0x7f.0.0.1:PORT/",
  "http://0X7F.1:PORT/",
  "http://017700000001:PORT/",
  "http://0177.0.0.1:PORT/",
  "http://0177.0.0.01:PORT/",
  "http://00000177.1:PORT/",
  "http://0x7f.0x0.0x0.0x1:PORT/",
  "http://127.0x0.0.1:PORT/",
  "http://4294967295:PORT/",
  "http://%31%32%37.0.0.1:PORT/",
  "http://127.0.0.%31:PORT/",
  "http://127%2e0%2e0%2e1:PORT/",
  "http://①②⑦.⓪.⓪.①:PORT/",
  "http://１２７.０.０.１:PORT/",
  "http://127。0。0。1:PORT/",
  "http://127．0．0．1:PORT/",
  "http://127｡0｡0｡1:PORT/",
  "http://0:PORT/",
  "http://0.0.0.0:PORT/",
  "http://00.00.00.00:PORT/",
  "http://[::1]:PORT/",
  "http://[::]:PORT/",
  "http://[0:0:0:0:0:0:0:1]:PORT/",
  "http://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://[::ffff:7f00:1]:PORT/",
  "http://[::FFFF:7F00:0001]:PORT/",
  "http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/",
  "http://[::127.0.0.1]:PORT/",
  "http://[::7f00:1]:PORT/",
  "http://[64:ff9b::127.0.0.1]:PORT/",
  "http://[64:ff9b:1::7f00:1]:PORT/",
  "http://[2002:7f00:1::]:PORT/",
  "http://[2001:0:7f00:1::]:PORT/",
  "http://[fe80::1]:PORT/",
  "http://[fd00:ec2::254]/latest/meta-data/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0xa9fea9fe/latest/meta-data/",
  "http://2852039166/latest/meta-data/",
  "http://[::ffff:a9fe:a9fe]/latest/meta-data/",
  "http://10.0.0.1/",
  "http://192.168.1.1/",
  "http://172.16.0.1/",
  "http://100.64.0.1/",
  "http://localhost:PORT/",
  "http://localhost.:PORT/",
  "http://LOCALHOST:PORT/",
  "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/",
  "http://local%68ost:PORT/",
  "http://loca\u00adlhost:PORT/",
  "http://:@127.0.0.1:PORT/x@",
  "http:\\\\127.0.0.1:PORT\\",
  "http:127.0.0.1:PORT/",
  "http:///127.0.0.1:PORT/",
  " \t\nhttp://127.0.0.1:PORT/",
  "ht\ntp://127.0.0.\t1:PORT/",
  "http://127.0.0.1:PORT#@example.com/",
  "http://127.0.0.1:PORT?@example.com/",
  "http://127.0.0.1:PORT\\@example.com/",
];

const BAD_URLS = [
  "http://[fe80::1%25eth0]:PORT/",
  "http://[::1%lo]:PORT/",
  "http://[127.0.0.1]:PORT/",
  "http://::1:PORT/",
  "http://[::1:PORT/",
  "http://256.0.0.1:PORT/",
  "http://127.0.0.0.1:PORT/",
  "http://127.0.0.1%00.example.com:PORT/",
  "http://127.0.0.1%0d%0aHost:%20example.com:PORT/",
  "http://user@127.0.0.1:PORT/",
  "http://user:secret@example.com/",
  "http://example.com@127.0.0.1:PORT/",
  "http://127.0.0.1:99999/",
  "http:///",
  "//127.0.0.1:PORT/",
  "127.0.0.1:PORT",
  "/latest/meta-data",
  "",
  "file:///etc/passwd",
  "gopher://127.0.0.1:PORT/_x",
  "ftp://127.0.0.1:PORT/",
  "dict://127.0.0.1:PORT/",
  "data:text/plain,hello",
  "blob:http://127.0.0.1:PORT/x",
  "unix:/run/docker.sock",
  "javascript:alert(1)",
  "ws://127.0.0.1:PORT/",
  `http://example.com/${"x".repeat(9_000)}`,
];

const at = (text: string) => text.replaceAll("PORT", String(port));

describe("not_public", () => {
  test.each(PRIVATE_URLS)("%j", async (text) => {
    expect(await failureOf(strict.request(at(text), { redirectsMax: 5 }))).toBe("not_public");
    expect(canary.hits()).toBe(0);
  });

  const LOCAL_NAMES = [
    "metadata.google.internal",
    "db.local",
    "x.localhost",
    "printer.localdomain",
    "nas.home.arpa",
    "redis",
  ];

  test.each(LOCAL_NAMES)("%s, without a DNS lookup", async (hostname) => {
    let lookups = 0;
    const lookup: Lookup = async () => {
      lookups++;
      return addresses(["93.184.216.34"]);
    };
    expect(await failureOf(createOutbound({ allow: [], lookup }).request(`http://${hostname}/`))).toBe("not_public");
    expect(lookups).toBe(0);
  });

  test.each(LOCAL_NAMES)("%s, even when a resolver says it is public", async (hostname) => {
    const outbound = createOutbound({ allow: ["10.0.0.0/8"], lookup: answering(["93.184.216.34"]) });
    expect(await failureOf(outbound.request(`http://${hostname}/`))).toBe("not_public");
  });

  test.each([
    ["first", ["127.0.0.1", "93.184.216.34"]],
    ["last", ["93.184.216.34", "2606:4700:4700::1111", "::1"]],
    ["mapped", ["::ffff:127.0.0.1"]],
    ["with a zone", ["fe80::1%eth0"]],
  ])("a name of which one address is private: %s", async (_, addresses) => {
    const outbound = createOutbound({ allow: [], lookup: answering(addresses) });
    expect(await failureOf(outbound.request(`http://shop.example:${port}/`))).toBe("not_public");
    expect(canary.hits()).toBe(0);
  });
});

describe("bad_url", () => {
  test.each(BAD_URLS)("%j", async (text) => {
    expect(await failureOf(strict.request(at(text)))).toBe("bad_url");
    expect(canary.hits()).toBe(0);
  });
});

describe("unresolved", () => {
  test("a name without addresses", async () => {
    const outbound = createOutbound({ allow: [], lookup: answering([]) });
    expect(await failureOf(outbound.request("http://shop.example/"))).toBe("unresolved");
  });

  test("a name that the resolver does not know", async () => {
    const outbound = createOutbound({ allow: [], lookup: () => Promise.reject(new Error("ENOTFOUND")) });
    expect(await failureOf(outbound.request("http://shop.example/"))).toBe("unresolved");
  });
});

describe("a connection goes to the address that was checked", () => {
  const site = startSite((request) => Response.json({ host: request.headers.get("host") }));

  test("because the name is resolved only once, also if its address changes", async () => {
    const answers = [["127.0.0.1"], ["127.0.0.9"], ["127.0.0.9"]];
    let lookups = 0;
    const lookup: Lookup = async () => addresses(answers[lookups++] ?? []);
    const outbound = createOutbound({ allow: ["127.0.0.1"], lookup });
    const { body, url } = await outbound.request(`http://rebind.example:${site.port}/`);
    expect(lookups).toBe(1);
    expect(url).toBe(`http://rebind.example:${site.port}/`);
    expect(JSON.parse(Buffer.from(body).toString())).toEqual({ host: `rebind.example:${site.port}` });
    expect(await failureOf(outbound.request(`http://rebind.example:${site.port}/`))).toBe("not_public");
  });

  test("the next address is tried if no server listens at the first", async () => {
    const outbound = createOutbound({ allow: ["127.0.0.0/8"], lookup: answering(["127.0.0.3", "127.0.0.1"]) });
    expect((await outbound.request(`http://shop.example:${site.port}/`)).status).toBe(200);
  });

  test("a local name in a network that the operator allows is accepted", async () => {
    const outbound = createOutbound({ allow: ["127.0.0.0/8", "::1"] });
    expect((await outbound.request(`http://localhost:${site.port}/`)).status).toBe(200);
    expect((await outbound.request(`http://2130706433:${site.port}/`)).status).toBe(200);
  });

  test("allowing one network allows no other", async () => {
    const outbound = createOutbound({ allow: ["127.0.0.1"] });
    expect(await failureOf(outbound.request(`http://127.0.0.9:${port}/`))).toBe("not_public");
    expect(await failureOf(outbound.request(`http://[::1]:${port}/`))).toBe("not_public");
    expect(canary.hits()).toBe(0);
  });
});

function answering(list: string[]): Lookup {
  return async () => addresses(list);
}

const addresses = (list: string[]) => list.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
