import type { Sign } from "@/core/tokens";

/** What match tokens are signed and read with, under a key of the purpose `match-token`. */
export const matchSignature =
  (key: Uint8Array): Sign =>
  (bytes) =>
    new Bun.CryptoHasher("sha256", key).update(bytes).digest();
