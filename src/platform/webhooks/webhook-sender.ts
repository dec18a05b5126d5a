/** Makes one try of a delivery: a signed POST through the outbound client. Holds no state. */
import type { DeliveryEvent } from "@/contract/webhooks";
import { retryAfterMs } from "@/core/webhooks/schedule";
import type { Clock } from "../clock";
import { type Outbound, OutboundError } from "../outbound/outbound";
import { type Secrets, signatureHeaders } from "./webhook-signature";

export interface Message {
  url: string;
  event: DeliveryEvent;
  messageId: string;
  body: string;
  secrets: Secrets;
}

export interface Attempt {
  /** True if the response was 2xx. */
  isDelivered: boolean;
  /** Null if there was no response. */
  status: number | null;
  /** The beginning of the response's body; null if there was no response. */
  answer: string | null;
  /** Null if it was delivered. */
  error: string | null;
  durationMs: number;
  /** The delay that the response asked for. */
  retryAfterMs?: number;
}

export type SendWebhook = (message: Message, signal?: AbortSignal) => Promise<Attempt>;

const BOUNDS = { connectMs: 3_000, totalMs: 15_000, bytesMax: 16 * 1024 };
const ANSWER_BYTES_KEPT = 1_024;
const USER_AGENT = "Waymark-Webhooks/1.0";

export const createWebhookSender =
  ({ outbound, clock }: { outbound: Outbound; clock: Clock }): SendWebhook =>
  async (message, signal) => {
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    try {
      const { status, headers, body } = await outbound.request(message.url, {
        method: "POST",
        headers: headersOf(message, clock()),
        body: message.body,
        // A longer response is not a failure; the rest of it is not needed.
        beyond: "cut",
        ...BOUNDS,
        isKept: true,
        signal,
      });
      const isDelivered = status >= 200 && status < 300;
      const error = isDelivered ? null : `The endpoint returned ${status}`;
      const wait = isDelivered ? undefined : retryAfterMs(headers.get("retry-after"), clock());
      return { isDelivered, status, answer: beginning(body), error, durationMs: durationMs(), retryAfterMs: wait };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { isDelivered: false, status: null, answer: null, error: error.message, durationMs: durationMs() };
    }
  };

const headersOf = ({ event, messageId, body, secrets }: Message, now: number) => ({
  "content-type": "application/json",
  "user-agent": USER_AGENT,
  "x-webhook-event": event,
  ...signatureHeaders({ messageId, timestamp: Math.floor(now / 1000), body }, secrets),
});

/** Returns the beginning of a body as text. Text in Postgres has no NUL. */
const beginning = (body: Uint8Array): string =>
  new TextDecoder().decode(body.subarray(0, ANSWER_BYTES_KEPT)).replaceAll("\0", "\u{fffd}");
