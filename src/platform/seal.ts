/**
 * Encrypts secrets that must be readable again (TOTP seeds, client secrets of identity providers): AES-256-GCM under
 * the key derived for this purpose; what was sealed under the previous key can still be opened. What is sealed for
 * one place cannot be opened at another: `place` is authenticated with it. Format of a sealed text: nonce (12 bytes),
 * tag (16), ciphertext.
 *
 * Places are listed here, and nothing can be sealed for another one, so that no stored secret is forgotten when secrets
 * are sealed again under a new key.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Keys } from "./keys";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface SealedColumn {
  /** What the row's key is appended to, after a colon. */
  place: string;
  table: string;
  key: string;
  column: string;
}

/** The columns that contain sealed secrets. */
export const SEALED_COLUMNS = [
  { place: "users.totp_secret", table: "users", key: "id", column: "totp_secret" },
  { place: "webhooks.secret", table: "webhooks", key: "id", column: "secret" },
  { place: "webhooks.secret", table: "webhooks", key: "id", column: "previous_secret" },
  {
    place: "sso_configurations.client_secret",
    table: "sso_configurations",
    key: "org_id",
    column: "client_secret",
  },
] as const satisfies readonly SealedColumn[];

export type SealedPlace = `${(typeof SEALED_COLUMNS)[number]["place"]}:${string}` | ShortLivedPlace;

/**
 * What lives for a day at most is not sealed again: the credentials of an import, a sign-in in progress, and responses
 * to repeated requests.
 */
type ShortLivedPlace = `imports.credentials:${string}` | "sso attempt" | `idempotent_answers.answer:${string}`;

export interface Seal {
  /** `place` names the row and column, as in `users.totp_secret:<id>`. */
  close(text: string, place: SealedPlace): Uint8Array;
  /** Returns undefined for what was sealed for another place, under a key that is gone, or was tampered with. */
  open(sealed: Uint8Array, place: SealedPlace): string | undefined;
  /** Returns it sealed under the current key; undefined unless the previous key is the one that opens it. */
  renew(sealed: Uint8Array, place: SealedPlace): Uint8Array | undefined;
}

export function createSeal(keys: Keys): Seal {
  const [current, previous] = [keys.current("encryption"), keys.previous("encryption")];
  const accepted = [current, previous].filter((key) => key !== undefined);
  const close = (text: string, place: SealedPlace): Uint8Array => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, current, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  };
  return {
    close,
    open: (sealed, place) => firstOf(accepted, (key) => openUnder(key, sealed, place)),
    renew(sealed, place) {
      if (!previous || openUnder(current, sealed, place) !== undefined) return undefined;
      const text = openUnder(previous, sealed, place);
      return text === undefined ? undefined : close(text, place);
    },
  };
}

function openUnder(key: Uint8Array, sealed: Uint8Array, place: SealedPlace): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    // The text was sealed under another key or tampered with: the next key may fit.
    return undefined;
  }
}

function firstOf<Item, Result>(items: readonly Item[], find: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
