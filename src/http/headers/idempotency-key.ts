/**
 * The header with which a client marks a request as a repetition of an earlier one. A route takes it by declaring
 * `repeatable`; its handler passes `once` on to the service, which executes the request by `answerOnce`.
 */
import type { Actor } from "@/core/ids";
import type { Clock } from "@/platform/clock";
import { type Keys, keysBoundTo } from "@/platform/keys";
import { createSeal, type Seal } from "@/platform/seal";
import { textFault } from "../body/unfit";
import { invalid } from "../errors";

/** A request that has an `Idempotency-Key`. */
export interface KeyedRequest {
  /** The same key in another operation is a different key. */
  operation: string;
  key: string;
  /** The validated body: any JSON value. */
  body: unknown;
  /** Unix milliseconds. */
  now: number;
  /** Encrypts the stored response, which can then be read with the client's key alone; null if it has no secret. */
  seal: Seal | null;
}

/** How the response is stored. One that shows a secret must be sealed. */
export type Repeatable = "plain" | "sealed";

const HEADER = "Idempotency-Key";
const LENGTH_MAX = 255;

/**
 * Describes the header for the OpenAPI document only. The header is read by hand, because a schema would make Elysia
 * parse all headers.
 */
export const IDEMPOTENCY_PARAMETER = {
  name: HEADER,
  in: "header",
  description:
    "Your own key, such as a UUID. For 24 hours, the same key with the same body returns the first response without " +
    "repeating the operation; with a different body it is refused with 400. You can retry a failed request with the " +
    "same key",
  schema: { type: "string", minLength: 1, maxLength: LENGTH_MAX, examples: ["4f1c5a1e-6a0b-4a55-9e0b-1f6f0a1d2c3b"] },
} as const;

export interface RepeatableParts {
  keys: Keys;
  clock: Clock;
}

interface Validated {
  request: Request;
  /** The route's pattern. */
  route: string;
  params?: Record<string, string | null>;
  body?: unknown;
}

/** Returns undefined without the header. Throws 400. */
export function keyedRequest(
  { keys, clock }: RepeatableParts,
  { request, route, params = {}, body }: Validated,
  how: Repeatable,
): KeyedRequest | undefined {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  // The organization is a part of each key anyway.
  const named = route.replaceAll(/:(\w+)/g, (_, name: string) => (name === "orgId" ? "{orgId}" : (params[name] ?? "")));
  const seal = how === "sealed" ? createSeal(keysBoundTo(keys, key)) : null;
  return { operation: `${request.method} ${named}`, key, body, now: clock(), seal };
}

/** Returns the request with a key that the actor shares with nobody: for what others may not be shown. */
export const keyedBy = ({ id }: Pick<Actor, "id">, request: KeyedRequest | undefined): KeyedRequest | undefined =>
  request && { ...request, operation: `${request.operation} ${id}` };

function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get(HEADER);
  if (key === null) return undefined;
  if (key.length < 1 || key.length > LENGTH_MAX || textFault(key)) {
    throw invalid([`${HEADER}: expected 1 to ${LENGTH_MAX} characters`]);
  }
  return key;
}
