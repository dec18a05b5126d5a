/**
 * One secret, one derived key for each purpose (HKDF-SHA256, RFC 5869): what leaks of one purpose tells nothing of
 * another. In development the secret is made once and kept in the data directory.
 */
import { hkdfSync, randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@/config";

export type KeyPurpose = "session" | "match-token" | "encryption";

export interface Keys {
  current(purpose: KeyPurpose): Uint8Array;
  /** Keys of `APP_SECRET_PREVIOUS`, accepted while rotating; undefined when there is none. */
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

const derive = (secret: string, purpose: KeyPurpose) =>
  new Uint8Array(hkdfSync("sha256", secret, "waymark", `waymark ${purpose} v1`, 32));

async function keptSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "app-secret");
  const file = Bun.file(path);
  if (await file.exists()) return (await file.text()).trim();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await Bun.write(path, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  return (await file.text()).trim();
}
