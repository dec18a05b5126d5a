/** Seals the secrets that webhook rows contain. */
import type { Seal } from "@/platform/seal";
import type { Secrets } from "@/platform/webhooks/webhook-signature";

const HINT_LENGTH = 5;

/**
 * The same for both secrets, so that a rotation can move the sealed current secret to the column of the previous one.
 */
const placeOf = (webhookId: string) => `webhooks.secret:${webhookId}`;

export const closeWebhookSecret = (seal: Seal, webhookId: string, secret: string) => ({
  secret: seal.close(secret, placeOf(webhookId)),
  secretHint: `…${secret.slice(-HINT_LENGTH)}`,
});

export interface SealedSecrets {
  webhookId: string;
  current: Uint8Array;
  /** Null unless it still signs. */
  previous: Uint8Array | null;
}

/** Returns undefined if the current secret cannot be opened, as after `APP_SECRET` was replaced. */
export function openSecrets(seal: Seal, { webhookId, current, previous }: SealedSecrets): Secrets | undefined {
  const opened = seal.open(current, placeOf(webhookId));
  if (opened === undefined) return undefined;
  return { current: opened, previous: previous === null ? undefined : seal.open(previous, placeOf(webhookId)) };
}
