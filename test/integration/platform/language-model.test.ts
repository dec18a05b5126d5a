/** Requests to a language model, and how its failures are handled. */
import { beforeEach, describe, expect, test } from "bun:test";
import { completion, startTestLanguageModel } from "@test/support/outside/language-model";
import { createLanguageModel, LanguageModelError } from "@/platform/language-model";
import { createOutbound } from "@/platform/outbound/outbound";

const endpoint = startTestLanguageModel();
const outbound = createOutbound({ allow: ["127.0.0.1"] });
let now = Date.UTC(2026, 0, 31);
const STAYING = new AbortController().signal;
const PROMPT = { system: "The rules.", user: '{"request":{}}' };

const opened = (
  settings: { baseUrl?: string; apiKey?: string | null; totalMs?: number; ending?: AbortSignal } = {},
) => {
  const { baseUrl = endpoint.url, apiKey = endpoint.key, ending = STAYING, totalMs } = settings;
  const ai = { baseUrl, apiKey, model: "small" };
  return createLanguageModel({ ai, outbound, clock: () => now, ending, totalMs });
};

beforeEach(() => {
  endpoint.asked.length = 0;
  endpoint.answer = () => completion({ summary: "So." });
});

describe("an answer", () => {
  test("is the text in the model's JSON", async () => {
    expect(await opened().answer(PROMPT)).toEqual({ summary: "So." });
    expect(endpoint.asked).toEqual([
      {
        model: "small",
        messages: [
          { role: "system", content: PROMPT.system },
          { role: "user", content: PROMPT.user },
        ],
        response_format: { type: "json_object" },
        max_tokens: 4000,
        stream: false,
      },
    ]);
    expect(endpoint.headers.get("authorization")).toBe(`Bearer ${endpoint.key}`);
  });

  test("is requested without credentials from an endpoint without a key", async () => {
    await opened({ apiKey: null }).answer(PROMPT);
    expect(endpoint.headers.get("authorization")).toBeNull();
  });

  test("is requested again with max_completion_tokens if the model requires it, and always so afterwards", async () => {
    const model = opened();
    endpoint.answer = ({ max_tokens }) =>
      max_tokens === undefined
        ? completion({ summary: "So." })
        : Response.json({ error: { message: "Use 'max_completion_tokens' instead." } }, { status: 400 });
    expect(await model.answer(PROMPT)).toEqual({ summary: "So." });
    expect(await model.answer(PROMPT)).toEqual({ summary: "So." });
    expect(endpoint.asked.map((body) => body.max_completion_tokens)).toEqual([undefined, 4000, 4000]);
  });
});

describe("a request fails on", () => {
  const json = (body: unknown) => () => Response.json(body);

  test.each<[string, () => Response]>([
    ["a failure of the endpoint", () => Response.json({ error: { message: "broken" } }, { status: 500 })],
    ["a model that is not there", () => Response.json({ error: {} }, { status: 404 })],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/")],
    ["a page in place of JSON", () => new Response("<html>")],
    ["JSON that is no object", json(null)],
    ["an object of another kind", json({ choices: "none" })],
    ["no choices", json({ choices: [] })],
    ["a choice that is null", json({ choices: [null] })],
    ["a choice without text", json({ choices: [{ message: { content: null, refusal: "No." } }] })],
    ["text that is no JSON", () => completion("Sure! Here it is: {}")],
    ["an answer that was cut off", () => completion({ summary: "So." }, "length")],
  ])("%s", async (_, answer) => {
    endpoint.answer = answer;
    await expect(opened().answer(PROMPT)).rejects.toBeInstanceOf(LanguageModelError);
  });

  test("an answer that is too large", async () => {
    endpoint.answer = () => completion({ summary: "a".repeat(70_000) });
    await expect(opened().answer(PROMPT)).rejects.toMatchObject({ reason: "too_large" });
  });

  test("a silent endpoint, after a timeout", async () => {
    endpoint.answer = () => Promise.withResolvers<Response>().promise;
    await expect(opened({ totalMs: 100 }).answer(PROMPT)).rejects.toMatchObject({ reason: "timeout" });
  });

  test("a shutdown of the service, immediately", async () => {
    const stopping = new AbortController();
    const held = Promise.withResolvers<void>();
    endpoint.answer = () => {
      held.resolve();
      return Promise.withResolvers<Response>().promise;
    };
    const model = opened({ ending: stopping.signal });
    const asked = model.answer(PROMPT);
    await held.promise;
    stopping.abort();
    await expect(asked).rejects.toMatchObject({ reason: "aborted" });
    await expect(model.answer(PROMPT)).rejects.toMatchObject({ reason: "aborted" });
  });

  test("no server at the address", async () => {
    await expect(opened({ baseUrl: "http://127.0.0.1:1/v1" }).answer(PROMPT)).rejects.toMatchObject({
      reason: "refused",
    });
  });

  test("a private address that was not allowed", async () => {
    const ai = { baseUrl: endpoint.url, apiKey: null, model: "small" };
    const strict = createLanguageModel({
      ai,
      outbound: createOutbound({ allow: [] }),
      clock: () => now,
      ending: STAYING,
    });
    await expect(strict.answer(PROMPT)).rejects.toMatchObject({ reason: "not_public" });
    expect(endpoint.asked).toEqual([]);
  });

  test("too many simultaneous questions, until some of them end", async () => {
    const model = opened();
    const held = Promise.withResolvers<void>();
    endpoint.answer = () => held.promise.then(() => completion({}));
    const first = Array.from({ length: 16 }, () => model.answer(PROMPT));
    await expect(model.answer(PROMPT)).rejects.toThrow("Too many");
    held.resolve();
    expect(await Promise.all(first)).toEqual(first.map(() => ({})));
    expect(await model.answer(PROMPT)).toEqual({});
  });

  test("an exhausted quota, and no further question is sent until Retry-After has passed", async () => {
    const model = opened();
    endpoint.answer = () => Response.json({}, { status: 429, headers: { "retry-after": "120" } });
    await expect(model.answer(PROMPT)).rejects.toThrow("429");
    endpoint.answer = () => completion({});
    now += 119_000;
    await expect(model.answer(PROMPT)).rejects.toThrow("quota");
    expect(endpoint.asked.length).toBe(1);
    now += 2_000;
    expect(await model.answer(PROMPT)).toEqual({});
  });

  test("an exhausted quota, for no longer if the clock is set back", async () => {
    const model = opened();
    endpoint.answer = () => Response.json({}, { status: 429 });
    await expect(model.answer(PROMPT)).rejects.toThrow("429");
    endpoint.answer = () => completion({});
    now -= 3_600_000;
    await expect(model.answer(PROMPT)).rejects.toThrow("quota");
    now += 61_000;
    expect(await model.answer(PROMPT)).toEqual({});
  });

  test("a wrong key, and the error contains neither the key nor the question", async () => {
    endpoint.answer = () => Response.json({ error: { message: "wrong: secret-key" } }, { status: 401 });
    const refused = await opened({ apiKey: "secret-key" })
      .answer(PROMPT)
      .catch((error: unknown) => error);
    expect(Bun.inspect(refused)).toContain("The model's endpoint returned 401");
    expect(Bun.inspect(refused)).not.toMatch(/secret-key|The rules/);
  });
});
