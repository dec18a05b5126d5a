/**
 * A language model behind an OpenAI-compatible endpoint (`POST <base>/chat/completions`,
 * https://platform.openai.com/docs/api-reference/chat/create), which is asked for one JSON object. It is reached like
 * every other host: an endpoint on a private network needs `OUTBOUND_ALLOW`. The API key is sent in a header. Errors
 * never contain the key, the prompt or the output.
 *
 * Bounds: `TOTAL_MS_MAX` for a question, `TOKENS_MAX` and `ANSWER_BYTES_MAX` for its answer, `ASKING_MAX` questions
 * at a time. Further ones are refused rather than queued, because callers have an answer without the model. After a
 * 429, no question is sent for a minute, or for as long as the endpoint says, up to ten minutes. The only state is
 * that pause, and the name of the field in which the endpoint takes the bound on tokens; a crash loses both, and they
 * are learned again.
 */
import { type Clock, steadyClock } from "./clock";
import { limitConcurrency } from "./concurrency";
import type { Outbound, OutboundAnswer } from "./outbound/outbound";
import { quotaPauseMs } from "./outbound/quota-pause";

const TOTAL_MS_MAX = 20_000;
/** Includes the tokens that a model spends on reasoning before it answers. */
const TOKENS_MAX = 4_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const ASKING_MAX = 16;

export interface LanguageModel {
  /** Returns the JSON that the model produced, parsed. Throws `LanguageModelError` and `OutboundError`. */
  answer(prompt: { system: string; user: string }): Promise<unknown>;
}

export interface LanguageModelOptions {
  ai: { baseUrl: string; apiKey: string | null; model: string };
  outbound: Pick<Outbound, "request">;
  clock: Clock;
  /** Aborts when the service is about to stop, so that nobody is kept waiting. */
  ending: AbortSignal;
  /** For tests. */
  totalMs?: number;
}

export class LanguageModelError extends Error {
  override name = "LanguageModelError";
}

/** Reasoning models reject the older name, and older servers ignore the newer one. */
type TokensField = "max_tokens" | "max_completion_tokens";

export function createLanguageModel({
  ai,
  outbound,
  clock,
  ending,
  totalMs = TOTAL_MS_MAX,
}: LanguageModelOptions): LanguageModel {
  const url = `${ai.baseUrl}/chat/completions`;
  const limited = limitConcurrency({
    runningMax: ASKING_MAX,
    waitingMax: 0,
    refusal: () => new LanguageModelError("Too many requests to the model are in progress"),
  });
  const steady = steadyClock(clock);
  let tokensField: TokensField = "max_tokens";
  let pausedUntil = Number.NEGATIVE_INFINITY;

  return {
    answer: (prompt) => limited(async () => readAnswer(await ask(prompt, performance.now() + totalMs))),
  };

  async function ask(prompt: { system: string; user: string }, endsAt: number): Promise<OutboundAnswer> {
    if (steady() < pausedUntil) throw new LanguageModelError("The model's quota is used up for now");
    const asked = tokensField;
    const answer = await post(prompt, asked, endsAt);
    if (answer.status === 400 && asked === "max_tokens" && wantsOtherField(answer)) {
      tokensField = "max_completion_tokens";
      return post(prompt, tokensField, endsAt);
    }
    return answer;
  }

  async function post(
    { system, user }: { system: string; user: string },
    field: TokensField,
    endsAt: number,
  ): Promise<OutboundAnswer> {
    const answer = await outbound.request(url, {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        ...(ai.apiKey !== null && { authorization: `Bearer ${ai.apiKey}` }),
      },
      body: JSON.stringify({
        model: ai.model,
        messages: [
          { role: "system", content: system },
          { role: "user", content: user },
        ],
        response_format: { type: "json_object" },
        [field]: TOKENS_MAX,
        stream: false,
      }),
      // A second try has the time that the first one left.
      totalMs: Math.min(totalMs, Math.max(1, endsAt - performance.now())),
      bytesMax: ANSWER_BYTES_MAX,
      signal: ending,
    });
    if (answer.status === 429) pausedUntil = steady() + quotaPauseMs(answer.headers.get("retry-after"));
    return answer;
  }
}

const wantsOtherField = ({ body }: OutboundAnswer): boolean => textOf(body).includes("max_completion_tokens");

function readAnswer({ status, body }: OutboundAnswer): unknown {
  if (status !== 200) throw new LanguageModelError(`The model's endpoint returned ${status}`);
  const content = contentOf(parsed(textOf(body), "The endpoint's response"));
  return parsed(content, "The model's output");
}

interface Completion {
  choices?: { finish_reason?: unknown; message?: { content?: unknown } }[];
}

function contentOf(completion: unknown): string {
  const { choices }: Completion = Object(completion);
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  const content = choice?.message?.content;
  if (typeof content !== "string") throw new LanguageModelError("The endpoint's response contains no text");
  if (choice?.finish_reason === "length") throw new LanguageModelError("The model's output exceeded the token limit");
  return content;
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new LanguageModelError(`${what} is not valid JSON`);
    throw error;
  }
}

const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);
