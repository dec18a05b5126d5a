import type { Sign } from "@/core/tokens";

/**
 * Returns the function that match tokens are signed and verified with. `key` is derived for the purpose
 * `match-token`.
 */
export const matchSignature =
  (key: Uint8Array): Sign =>
  (bytes) =>
    new Bun.CryptoHasher("sha256", key).update(bytes).digest();
