/** The header with which a client marks a request as a repetition of an earlier one. */
import { textFault } from "../body/unfit";
import { invalid } from "../errors";

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

/** Returns the key, or undefined without the header. Throws 400. */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get(HEADER);
  if (key === null) return undefined;
  if (key.length < 1 || key.length > LENGTH_MAX || textFault(key)) {
    throw invalid([`${HEADER}: expected 1 to ${LENGTH_MAX} characters`]);
  }
  return key;
}
