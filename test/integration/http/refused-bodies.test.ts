/**
 * Large bodies of refused requests, on connections that close after the response, as proxies ask for. If the server
 * closed while the proxy is still sending, the proxy would find the connection reset and report a bad gateway to the
 * client instead of the response.
 */
import { describe, expect, test } from "bun:test";
import { sendRaw } from "@test/support/raw-http/raw-http";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const ada = await service.register();
await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "plain" });

const BODY = Buffer.alloc(16 << 20, " ");
const JSON_TYPE = "Content-Type: application/json";
const home = `/api/v1/organizations/${ada.orgId}`;
const bearer = `Authorization: Bearer ${ada.token}`;

/** Sends a request as nginx does to its upstream by default. */
async function send(method: string, path: string, headers: string[]): Promise<number> {
  const lines = [`Host: ${service.host}`, "Connection: close", `Content-Length: ${BODY.length}`, ...headers];
  const head = `${method} ${path} HTTP/1.0\r\n${lines.join("\r\n")}\r\n\r\n`;
  const { status } = await sendRaw(service.service.port, Buffer.concat([Buffer.from(head), BODY]), 30_000);
  return status;
}

describe.each<[number, string, string, string, string[]]>([
  [401, "nobody signed in", "PATCH", home, [JSON_TYPE]],
  [401, "an upload without a session", "POST", `${home}/imports`, ["Content-Type: multipart/form-data; boundary=x"]],
  [401, "the dashboard, whose session is over", "PATCH", `/app${home}`, [JSON_TYPE, `Origin: ${service.url}`]],
  [404, "no such route", "POST", "/api/v1/nothing", [JSON_TYPE]],
  [405, "a link, which takes no body", "POST", "/plain", [JSON_TYPE]],
  [413, "a body that is too large", "PATCH", home, [JSON_TYPE, bearer]],
  [400, "a form that is none", "POST", "/app/sign-in", [JSON_TYPE, `Origin: ${service.url}`]],
])("%d: %s", (status, _, method, path, headers) => {
  test("is received by a client that sends its whole body first", async () => {
    const each = await Promise.all(Array.from({ length: 3 }, () => send(method, path, headers)));
    expect(each).toEqual(Array.from({ length: 3 }, () => status));
  });
});
