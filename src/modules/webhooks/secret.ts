/**
 * Seals the secrets that webhook rows contain. Each secret that was replaced signs until its own end, however often
 * it is replaced again. They are sealed together, one a line, newest first: the first ends at `previous_secret_until`,
 * each further one at the Unix milliseconds after it.
 */
import type { Seal, SealedPlace } from "@/platform/seal";
import type { Secrets } from "@/platform/webhooks/webhook-signature";

const HINT_LENGTH = 5;
/** More would make the headers too long for some endpoints; the oldest then end early. */
export const FORMER_MAX = 10;

const placeOf = (webhookId: string): SealedPlace => `webhooks.secret:${webhookId}`;

export const closeWebhookSecret = (seal: Seal, webhookId: string, secret: string) => ({
  secret: seal.close(secret, placeOf(webhookId)),
  secretHint: `…${secret.slice(-HINT_LENGTH)}`,
});

/** The columns of a row that hold its secrets. */
export interface SealedSecrets {
  id: string;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousSecretUntil: Date | null;
}

/**
 * Returns the secrets that sign at `now`, in Unix milliseconds. Returns undefined if the current secret cannot be
 * opened, as after `APP_SECRET` was replaced.
 */
export function openSecrets(seal: Seal, row: SealedSecrets, now: number): Secrets | undefined {
  const current = seal.open(row.secret, placeOf(row.id));
  if (current === undefined) return undefined;
  return { current, previous: formerSecrets(seal, row, now).map(({ secret }) => secret) };
}

/** Returns the columns of the previous secrets once the current one is replaced; it then signs until `until`. */
export function closeFormerSecrets(
  seal: Seal,
  row: SealedSecrets,
  { now, until }: { now: number; until: number },
): Pick<SealedSecrets, "previousSecret" | "previousSecretUntil"> {
  const secret = seal.open(row.secret, placeOf(row.id));
  const replaced = secret === undefined ? [] : [{ secret, until }];
  const [newest, ...older] = [...replaced, ...formerSecrets(seal, row, now)].slice(0, FORMER_MAX);
  if (!newest) return { previousSecret: null, previousSecretUntil: null };
  const lines = [newest.secret, ...older.map((former) => `${former.secret} ${former.until}`)];
  return {
    previousSecret: seal.close(lines.join("\n"), placeOf(row.id)),
    previousSecretUntil: new Date(newest.until),
  };
}

interface FormerSecret {
  secret: string;
  /** Unix milliseconds. */
  until: number;
}

function formerSecrets(
  seal: Seal,
  { id, previousSecret, previousSecretUntil }: SealedSecrets,
  now: number,
): FormerSecret[] {
  const text = previousSecret === null ? undefined : seal.open(previousSecret, placeOf(id));
  if (text === undefined || previousSecretUntil === null) return [];
  const formers = text.split("\n").map((line) => {
    const [secret = "", until = previousSecretUntil.getTime()] = line.split(" ");
    return { secret, until: Number(until) };
  });
  return formers.filter(({ until }) => until > now);
}
