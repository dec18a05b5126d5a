/**
 * Signs webhooks, in two ways. Our own signature is keyed by the secret as it is shown. That of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks, "Signature scheme") is keyed by the bytes after its
 * prefix, and covers `id.timestamp.body`. For a while after a secret was replaced, it signs as well.
 */
import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32;

export const makeSecret = (): string =>
  PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64");

export interface Signed {
  messageId: string;
  /** Unix seconds. */
  timestamp: number;
  /** Exactly as it is sent. */
  body: string;
}

export interface Secrets {
  current: string;
  /** Those that were replaced and still sign, newest first. */
  previous: readonly string[];
}

/** Returns the headers that carry the signatures. */
export function signatureHeaders(signed: Signed, { current, previous }: Secrets): Record<string, string> {
  const formerly = previous.map((secret) => ownSignature(signed, secret)).join(", ");
  return {
    "x-webhook-signature": ownSignature(signed, current),
    ...(formerly !== "" && { "x-webhook-signature-previous": formerly }),
    "webhook-id": signed.messageId,
    "webhook-timestamp": String(signed.timestamp),
    "webhook-signature": [current, ...previous].map((secret) => standardSignature(signed, secret)).join(" "),
  };
}

const ownSignature = ({ body }: Signed, secret: string): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

function standardSignature({ messageId, timestamp, body }: Signed, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${messageId}.${timestamp}.${body}`).digest("base64")}`;
}
