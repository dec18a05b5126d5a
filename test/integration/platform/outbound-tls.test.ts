/** The outbound client verifies certificates against the host's name, whatever its address is. */
import { afterAll, describe, expect, test } from "bun:test";
import { type AddressInfo, createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { failureOf, startSite } from "@test/support/outside/site";
import { makeCertificate } from "@test/support/servers/certificates";
import { createOutbound, OutboundError } from "@/platform/outbound/outbound";

const DAY_MS = 86_400_000;
const good = makeCertificate({ names: ["shop.example", "*.shops.example"] });
const expired = makeCertificate({ names: ["shop.example"], until: new Date(Date.now() - DAY_MS) });
const early = makeCertificate({ names: ["shop.example"], from: new Date(Date.now() + DAY_MS) });

const options = { allow: ["127.0.0.1"], lookup: async () => [{ address: "127.0.0.1", family: 4 }] };
const trusting = (ca: string) => createOutbound({ ...options, ca });

describe("tls", () => {
  test.each([
    ["for another name", good, "https://other.example", "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["for the address in place of a name", good, "https://127.0.0.1", "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["two labels below a wildcard", good, "https://a.b.shops.example", "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["that is over", expired, "https://shop.example", "CERT_HAS_EXPIRED"],
    ["that is not valid yet", early, "https://shop.example", "CERT_NOT_YET_VALID"],
  ])("a certificate %s", async (_, certificate, origin, code) => {
    const server = await startTls(certificate);
    const error = await trusting(certificate.cert)
      .request(`${origin}:${server.port}/`)
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(OutboundError);
    expect(error).toMatchObject({ reason: "tls", code });
    expect(server.requests()).toBe(0);
  });

  test("a certificate that no authority signed", async () => {
    const server = await startTls(good);
    const error = await createOutbound(options)
      .request(`https://shop.example:${server.port}/`)
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ reason: "tls", code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect(server.requests()).toBe(0);
  });

  test("a host that speaks no TLS", async () => {
    const site = startSite(() => new Response("plain"));
    expect(await failureOf(trusting(good.cert).request(`https://shop.example:${site.port}/`))).toBe("tls");
  });
});

describe("timeout", () => {
  test("a host that accepts the connection but never completes the TLS handshake", async () => {
    const mute = createServer(() => {});
    await new Promise<void>((listening) => mute.listen(0, "127.0.0.1", listening));
    afterAll(() => mute.close());
    const { port } = mute.address() as AddressInfo;
    const request = trusting(good.cert).request(`https://shop.example:${port}/`, { connectMs: 100 });
    expect(await failureOf(request)).toBe("timeout");
  });
});

describe("a good certificate", () => {
  test.each(["shop.example", "shop.example.", "SHOP.example", "eu.shops.example"])("of %s", async (hostname) => {
    const server = await startTls(good);
    const { status, tls } = await trusting(good.cert).request(`https://${hostname}:${server.port}/`);
    expect(status).toBe(200);
    expect(server.serverNames()).toEqual([hostname.toLowerCase().replace(/\.$/, "")]);
    expect(tls).toMatchObject({ altNames: ["DNS:shop.example", "DNS:*.shops.example"], issuer: "Waymark tests" });
    expect(tls?.validFrom.getTime()).toBeLessThan(Date.now());
    expect(tls?.validUntil.getTime()).toBeGreaterThan(Date.now());
  });

  test("plain HTTP has none", async () => {
    const site = startSite(() => new Response("plain"));
    expect((await trusting(good.cert).request(site.url)).tls).toBeUndefined();
  });
});

async function startTls(certificate: { cert: string; key: string }) {
  let requests = 0;
  const names: (string | undefined)[] = [];
  const server = createTlsServer({ ...certificate, SNICallback: (name, done) => done(null, void names.push(name)) });
  server.on("tlsClientError", () => {});
  server.on("secureConnection", (socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      requests += 1;
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  afterAll(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { port, requests: () => requests, serverNames: () => names };
}
