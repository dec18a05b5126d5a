import { describe, expect, test } from "bun:test";
import { tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { sendRaw } from "@test/support/raw-http/raw-http";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const { token } = ada;
const path = `/api/v1/organizations/${ada.orgId}/links`;
const defaultUrl = "https://example.com/";
const LIMIT = 256 * 1024;

type Reply = Link & Record<string, unknown>;
const post = (body: unknown, headers?: Record<string, string>) => call<Reply>("POST", path, { token, body, headers });
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("413", () => {
  const filled = (bytes: number) => {
    const frame = JSON.stringify({ defaultUrl, ignored: "" });
    return JSON.stringify({ defaultUrl, ignored: "a".repeat(bytes - frame.length) });
  };

  test("for a body one byte larger than 256 KB", async () => {
    expect((await post(filled(LIMIT))).status).toBe(201);
    expectFailure(await post(filled(LIMIT + 1)), 413);
  });

  test("for a string of a megabyte in a field", async () => {
    expectFailure(await post({ defaultUrl, title: "a".repeat(1_000_000) }), 413);
  });

  test("for a chunked body that grows too large", async () => {
    const chunks = Array.from({ length: 5 }, () => new TextEncoder().encode(" ".repeat(64 * 1024)));
    const body = new ReadableStream({
      pull(controller) {
        const chunk = chunks.pop();
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(service.url + path, { method: "POST", headers, body });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  test("for a Content-Length that is too large, however short the body is", async () => {
    const reply = await sendRaw(
      service.service.port,
      `POST ${path} HTTP/1.1\r\nHost: ${service.host}\r\nAuthorization: Bearer ${token}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 99999999\r\nConnection: close\r\n\r\n{}",
    );
    expect(reply.status).toBe(413);
  });
});

describe("415", () => {
  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", "text/json", "x"])(
    "%s",
    async (type) => {
      expectFailure(await post(JSON.stringify({ defaultUrl }), { "content-type": type }), 415);
    },
  );

  test("no content type", async () => {
    const headers = { authorization: `Bearer ${token}` };
    const body = new Blob([JSON.stringify({ defaultUrl })]);
    const response = await fetch(service.url + path, { method: "POST", headers, body });
    expect(response.status).toBe(415);
  });

  test.each(["gzip", "x-gzip", "deflate", "br", "zstd", "identity, gzip"])(
    "a body under Content-Encoding: %s",
    async (encoding) => {
      const headers = {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-encoding": encoding,
      };
      const body = Bun.gzipSync(JSON.stringify({ defaultUrl }));
      const response = await fetch(service.url + path, { method: "POST", headers, body });
      expect(response.status).toBe(415);
      expect(response.headers.get("accept-encoding")).toBe("identity");
      expect(await response.json()).toEqual({
        error: "The body must not be compressed: send it without Content-Encoding",
      });
    },
  );

  test.each(["identity", "utf-8"])("but not Content-Encoding: %s", async (encoding) => {
    expect((await post(JSON.stringify({ defaultUrl }), { "content-encoding": encoding })).status).toBe(201);
  });

  test.each([
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/vnd.api+json",
    "application/json;a=b",
  ])("but not %s", async (type) => {
    expect((await post(JSON.stringify({ defaultUrl }), { "content-type": type })).status).toBe(201);
  });
});

describe("400", () => {
  test.each([
    ["nothing closed", "{"],
    ["a trailing comma", `{"defaultUrl":"${defaultUrl}",}`],
    ["single quotes", "{'defaultUrl':'https://example.com/'}"],
    ["a comment", `{"defaultUrl":"${defaultUrl}"/* */}`],
    ["NaN", `{"defaultUrl":"${defaultUrl}","maxClicks":NaN}`],
    ["two documents", "{}{}"],
    ["a raw line break in a string", '{"defaultUrl":"https://example.com/\n"}'],
    ["text", "defaultUrl"],
  ])("malformed JSON: %s", async (_, body) => {
    const reply = await post(body);
    expectFailure(reply, 400, ["body"]);
    expect(reply.body.error).toBe("The body is not valid JSON");
  });

  test("bytes that are not valid UTF-8", async () => {
    const body = Buffer.concat([
      Buffer.from(`{"defaultUrl":"${defaultUrl}","title":"`),
      Buffer.from([0xff, 0xfe, 0x22, 0x7d]),
    ]);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(service.url + path, { method: "POST", headers, body });
    expect(response.status).toBe(400);
  });

  test.each(["null", "5", "true", '"text"', "[]", `[{"defaultUrl":"${defaultUrl}"}]`])(
    "a body that is not an object: %s",
    async (body) => {
      expectFailure(await post(body), 400, ["body"]);
    },
  );

  test("a missing or empty body", async () => {
    expectFailure(await call("POST", path, { token }), 400, ["body"]);
    expectFailure(await call("POST", path, { token, body: "" }), 400, ["body"]);
  });

  test.each([
    ["a NUL byte", { title: "a\0b" }, ["title"]],
    ["a NUL byte within a rule", { rules: [{ destinationUrl: "https://a.example/\0" }] }, ["rules[0].destinationUrl"]],
    ["a lone surrogate", { title: "\ud800" }, ["title"]],
    ["a lone surrogate in a free object", { deepLinkPayload: { a: { b: ["\udfff"] } } }, ["deepLinkPayload.a.b[0]"]],
    ["a lone surrogate in a key", { deepLinkPayload: { "\ud800": 1 } }, ["deepLinkPayload"]],
    ["a NUL byte in a field nobody asked for", { nonsense: "\0" }, ["nonsense"]],
    ["a NUL byte in text that looks like a number to be refused", { maxClicks: "\0number 5" }, ["maxClicks"]],
    ["several at once", { title: "\0", tags: ["\0", "a", "\ud800"] }, ["tags[0]", "tags[2]", "title"]],
  ])("%s, naming each field", async (_, fields, names) => {
    expectFailure(await post({ defaultUrl, ...fields }), 400, names);
  });

  test.each([
    ["many", { ["k".repeat(100)]: Array(20_000).fill("\0") }],
    ["long", { ["k".repeat(200_000)]: Array(2_000).fill("\0") }],
    ["deep", { ["k".repeat(100_000)]: { ["k".repeat(100_000)]: "\0" } }],
  ])(
    "however %s the invalid text in a body is, the response stays short and names the first error",
    async (_, fields) => {
      const reply = await post({ defaultUrl, title: "\0", ...fields });
      expectFailure(reply, 400);
      const details = reply.body.details as string[];
      expect(details[0]).toBe("title: must not contain a NUL byte");
      expect(details.at(-1)).toEndWith(": must not contain a NUL byte");
      expect(JSON.stringify(reply.body).length).toBeLessThan(64 * 1024);
    },
  );

  test.each([
    ["an integer", '{"id": 9007199254740993}', ["id"]],
    ["a negative integer", '{"a": {"id": -9007199254740993}}', ["a.id"]],
    ["integers in a list", '{"ids": [1, 12345678901234567890, 9223372036854775807]}', ["ids[1]", "ids[2]"]],
    ["more than any number", '{"most": 1e400, "least": -1E+0400}', ["most", "least"]],
    ["an integer beside other faults", '{"id": 9007199254740993, "text": "\\u0000"}', ["id", "text"]],
    ["very many digits", `{"id": ${"9".repeat(200_000)}}`, ["id"]],
  ])("a number that would be rounded: %s", async (_, payload, names) => {
    const reply = await post(`{"defaultUrl":"${defaultUrl}","deepLinkPayload":${payload}}`);
    const fields = names.map((name) => `deepLinkPayload.${name}`);
    expectFailure(reply, 400, fields);
    expect(reply.body.details).toContainEqual(expect.stringContaining("send it as text"));
  });

  test("a number that would be rounded, in the metadata of an event and in a link of a bulk creation", async () => {
    const apiKey = await service.createApiKey(ada, ["events:write"]);
    const event = '{"name":"order","metadata":{"orderId":12345678901234567890}}';
    expectFailure(await call("POST", "/api/v1/events", { apiKey, body: event }), 400, ["metadata.orderId"]);
    const link = (fields: string) => `{"defaultUrl":"${defaultUrl}",${fields}}`;
    const links = ['"deepLinkPayload":{"id":9007199254740993}', '"nonsense":9007199254740993', '"maxClicks":1e400'];
    const bulk = await call("POST", `${path}/bulk`, { token, body: `{"links":[${links.map(link)}]}` });
    expect([bulk.status, bulk.body.created]).toMatchObject([200, [{ defaultUrl }]]);
    expect(bulk.body.errors).toMatchObject([
      { index: 0, details: [expect.stringMatching(/^deepLinkPayload\.id: .*send it as text$/)] },
      { index: 2, details: [expect.stringMatching(/^maxClicks: expected an integer/)] },
    ]);
  });

  test.each([
    ["deeper than anything needs", nested(41)],
    ["ten thousand levels", nested(10_000)],
    ["a hundred thousand levels", nested(100_000)],
  ])("values nested %s", async (_, value) => {
    expectFailure(await post(`{"defaultUrl":"${defaultUrl}","deepLinkPayload":{"a":${value}}}`), 400);
    expectFailure(await post(`{"defaultUrl":"${defaultUrl}","nonsense":${value}}`), 400);
  });

  test("writes nothing to the database", async () => {
    const before = await tableState(sql);
    for (const title of ["\0", "\ud800", 5]) await post({ defaultUrl, title });
    expect(await tableState(sql)).toEqual(before);
  });
});

describe("in a body", () => {
  test("prototype keys are dropped at any depth", async () => {
    const payload = '{"__proto__":{"a":1},"b":[{"constructor":1,"c":{"prototype":2,"__proto__":3,"d":4}}]}';
    const { status, body } = await post(
      `{"defaultUrl":"${defaultUrl}","__proto__":{"isActive":false},"deepLinkPayload":${payload}}`,
    );
    expect(status).toBe(201);
    expect(body.deepLinkPayload).toEqual({ b: [{ c: { d: 4 } }] });
    expect(body.isActive).toBe(true);
    expect(Object.keys({})).toEqual([]);
    expect("a" in {}).toBe(false);
  });

  test("unknown fields are ignored also where every object has such a member", async () => {
    const members = { toString: "a", valueOf: 1, hasOwnProperty: null, isPrototypeOf: [] };
    const link = { defaultUrl, ...members, utm: { source: "a", ...members }, deepLinkPayload: members };
    const { status, body } = await post(link);
    expect([status, body.deepLinkPayload]).toEqual([201, members]);
    const bulk = { links: [link], ...members };
    const made = await call("POST", `/api/v1/organizations/${ada.orgId}/links/bulk`, {
      token,
      body: bulk,
    });
    expect([made.status, made.body.errors]).toEqual([200, []]);
  });

  test("a limit of length counts characters, not the units that an emoji has two of", async () => {
    const tags = (count: number) => ({ defaultUrl, tags: ["😀".repeat(count)] });
    expect((await post(tags(50))).status).toBe(201);
    expectFailure(await post(tags(51)), 400, ["tags[0]"]);
    const put = (externalId: string) =>
      call("PUT", `${path}/by-external-id/${encodeURIComponent(externalId)}`, { token, body: { defaultUrl } });
    expect((await put("😀".repeat(255))).status).toBe(201);
    expectFailure(await put("😀".repeat(256)), 400, ["externalId"]);
    expect((await call("GET", `${path}?tag=${encodeURIComponent("😀".repeat(50))}`, { token })).body.total).toBe(1);
    expectFailure(await call("GET", `${path}?tag=${encodeURIComponent("😀".repeat(51))}`, { token }), 400, ["tag"]);
  });

  test("fields that only the service sets have no effect", async () => {
    const smuggled = {
      _id: Bun.randomUUIDv7(),
      id: Bun.randomUUIDv7(),
      orgId: Bun.randomUUIDv7(),
      org_id: Bun.randomUUIDv7(),
      clickCount: 1000,
      number: 1,
      version: 99,
      isVerified: true,
      safety: { status: "safe", reasons: ["trust me"] },
      shortUrl: "https://evil.example/",
      passwordHash: "x",
      passwordProtected: true,
      createdAt: "2001-01-01T00:00:00.000Z",
      updatedAt: "2001-01-01T00:00:00.000Z",
      deletedAt: "2001-01-01T00:00:00.000Z",
      role: "owner",
      scopes: ["links:read"],
    };
    const { status, body } = await post({ defaultUrl, ...smuggled });
    expect(status).toBe(201);
    const changed = await call<Reply>("PATCH", `${path}/${body._id}`, { token, body: { title: "a", ...smuggled } });
    expect(changed.status).toBe(200);
    for (const link of [body, changed.body]) {
      expect(link.orgId).toBe(ada.orgId);
      expect(link._id).not.toBe(smuggled._id);
      expect(link.clickCount).toBe(0);
      expect(link.safety).toEqual({ status: "unknown", reasons: [], checkedAt: expect.any(String) });
      expect(link.passwordProtected).toBe(false);
      expect(link.shortUrl).toStartWith(`http://${service.host}/`);
      expect(Date.parse(link.createdAt)).toBeGreaterThan(Date.parse(smuggled.createdAt));
      expect(Date.parse(link.updatedAt)).toBeGreaterThan(Date.parse(smuggled.updatedAt));
    }
    const [row] = await sql`select version, deleted_at, password_hash from links where id = ${body._id}`;
    expect({ ...row }).toEqual({ version: 2, deleted_at: null, password_hash: null });
  });

  test("unknown fields within a rule, a split target and UTM are not kept", async () => {
    const { body } = await post({
      defaultUrl,
      rules: [{ destinationUrl: defaultUrl, extra: 1, conditions: { platform: ["ios"] } }],
      splitTargets: [{ key: "a", destinationUrl: defaultUrl, extra: 1 }],
      utm: { source: "a", extra: "b" },
    });
    expect(body.rules).toEqual([{ destinationUrl: defaultUrl, conditions: { platform: ["ios"] } }]);
    expect(body.splitTargets).toEqual([{ key: "a", destinationUrl: defaultUrl }]);
    expect(body.utm).toEqual({ source: "a" });
  });

  test("numbers of a free-form object are kept unchanged", async () => {
    const text = '{"safe":-9007199254740991,"exact":9007199254740992,"float":1.5e300,"text":"12345678901234567890"}';
    const sent = { ...JSON.parse(text), ...{ round: 1e20, rounder: 1.25e20, roundest: 1e21, far: Number.MAX_VALUE } };
    const { status, body } = await post({ defaultUrl, deepLinkPayload: sent });
    expect([status, body.deepLinkPayload]).toEqual([201, sent]);
    expect((await post({ defaultUrl, deepLinkPayload: body.deepLinkPayload })).body.deepLinkPayload).toEqual(sent);
    expect((await post(`{"defaultUrl":"${defaultUrl}","deepLinkPayload":${text}}`)).status).toBe(201);
  });

  test("a number in an unknown field is ignored, however large it is", async () => {
    for (const value of ["12345678901234567890", '{"ids":[12345678901234567890],"a":1e400}']) {
      const link = `{"defaultUrl":"${defaultUrl}","nonsense":${value}}`;
      expect((await post(link)).status).toBe(201);
      const bulk = await call("POST", `${path}/bulk`, { token, body: `{"links":[${link}],"nonsense":${value}}` });
      expect([bulk.status, bulk.body.errors]).toEqual([200, []]);
    }
    const both = `{"defaultUrl":"${defaultUrl}","nonsense":{"id":1e400},"deepLinkPayload":{"id":1e400}}`;
    expectFailure(await post(both), 400, ["deepLinkPayload.id"]);
  });

  test("the keys of a free-form object are kept unchanged", async () => {
    const deepLinkPayload = { toString: 1, "line\nbreak": 2, "": 3, "a.b": { $gt: "" }, "🦊": [null, 1.5, "x"] };
    expect((await post({ defaultUrl, deepLinkPayload })).body.deepLinkPayload).toEqual(deepLinkPayload);
  });
});
