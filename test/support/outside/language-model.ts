/** A stand-in for an OpenAI-compatible endpoint on loopback. The test decides what it responds. */
import { afterAll } from "bun:test";

export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  response_format: { type: string };
  max_tokens?: number;
  max_completion_tokens?: number;
  stream: boolean;
}

export interface TestLanguageModel {
  /** Value for the setting `AI_BASE_URL`. */
  url: string;
  key: string;
  asked: ChatRequest[];
  /** Headers of the last request. */
  headers: Headers;
  answer(request: ChatRequest): Response | Promise<Response>;
}

/** Starts a stand-in that stops after the test file. */
export function startTestLanguageModel(): TestLanguageModel {
  const model: TestLanguageModel = {
    url: "",
    key: "language-model-key",
    asked: [],
    headers: new Headers(),
    answer: (request) => completion(faithful(request)),
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (request.method !== "POST" || new URL(request.url).pathname !== "/v1/chat/completions") {
        return new Response("unknown", { status: 404 });
      }
      model.headers = request.headers;
      const body: ChatRequest = JSON.parse(await request.text());
      model.asked.push(body);
      return model.answer(body);
    },
  });
  afterAll(() => server.stop(true));
  model.url = `http://127.0.0.1:${server.port}/v1`;
  return model;
}

export const completion = (said: unknown, finish_reason = "stop"): Response =>
  Response.json({
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason,
        message: { role: "assistant", content: typeof said === "string" ? said : JSON.stringify(said) },
      },
    ],
  });

export interface Wording {
  summary: string;
  recommendations: { title: string; rationale: string }[];
  campaigns: { copy: string[] }[];
}

/** Returns the draft in the request, slightly rephrased, as a well-behaved model would. */
export function faithful(request: ChatRequest): Wording {
  const { draft } = JSON.parse(request.messages[1]?.content ?? "{}");
  const { summary, recommendations, campaigns }: Wording = draft;
  return {
    summary: `In short: ${summary}`,
    recommendations: recommendations.map(({ title, rationale }) => ({ title: `Next: ${title}`, rationale })),
    campaigns: campaigns.map(({ copy }) => ({ copy: copy.map(() => "With {name}, gladly.") })),
  };
}
