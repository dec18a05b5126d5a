/**
 * Derives one key for each purpose from one secret (HKDF-SHA256, RFC 5869): a key that leaks reveals nothing about
 * the others. In development, the secret is generated once and kept in the data directory.
 */
import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@/config";
import { SettingError } from "./setting-error";

/** The same minimum that `APP_SECRET` has. */
const SECRET_BYTES_MIN = 32;

export type KeyPurpose =
  | "session"
  | "match-token"
  | "encryption"
  | "visit-pass"
  | "continued-visit"
  | "mailed-invitation"
  | "known-browser"
  | "fingerprint";

export interface Keys {
  current(purpose: KeyPurpose): Uint8Array;
  /** Returns a key of `APP_SECRET_PREVIOUS`, accepted during rotation; undefined if that is not set. */
  previous(purpose: KeyPurpose): Uint8Array | undefined;
}

export async function openKeys(config: Pick<Config, "appSecret" | "appSecretPrevious" | "dataDir">): Promise<Keys> {
  const secret = config.appSecret ?? (await keptSecret(config.dataDir));
  const previous = config.appSecretPrevious;
  return {
    current: (purpose) => derive(secret, purpose),
    previous: (purpose) => (previous ? derive(previous, purpose) : undefined),
  };
}

/** Returns keys that can be derived only with `text`, too. */
export function keysBoundTo(keys: Keys, text: string): Keys {
  const bound = (key: Uint8Array) => new Uint8Array(createHmac("sha256", key).update(text).digest());
  return {
    current: (purpose) => bound(keys.current(purpose)),
    previous(purpose) {
      const key = keys.previous(purpose);
      return key && bound(key);
    },
  };
}

const derive = (secret: string, purpose: KeyPurpose) =>
  new Uint8Array(hkdfSync("sha256", secret, "waymark", `waymark ${purpose} v1`, 32));

async function keptSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "app-secret");
  if (!existsSync(path)) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    makeSecret(path);
  }
  // Not with a `Bun.file` that was used before the file existed: it goes on treating the file as empty.
  const secret = readFileSync(path, "utf8").trim();
  if (Buffer.byteLength(secret) < SECRET_BYTES_MIN)
    throw new SettingError("DATA_DIR", `${path} contains no secret: remove the file, or set APP_SECRET`);
  return secret;
}

/**
 * Only the owner can read the file. If several processes find none, the first creates it and the others use that one.
 * It is written under another name and then linked, so that nobody ever reads a part of it; a crash may leave the file
 * with the other name.
 */
function makeSecret(path: string): void {
  const unfinished = `${path}.${crypto.randomUUID()}`;
  try {
    writeFileSync(unfinished, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx", flush: true });
    linkSync(unfinished, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}
