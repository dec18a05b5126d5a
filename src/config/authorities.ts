/** Checks the file of `NODE_EXTRA_CA_CERTS`, which Bun reads itself. If it cannot, it says nothing. */
import { readFileSync } from "node:fs";

/** Returns what is wrong with the file; null if there is nothing, or no file is named. */
export function faultOfAuthorities(path: string | undefined): string | null {
  if (!path) return null;
  try {
    return readFileSync(path, "latin1").includes("-----BEGIN CERTIFICATE-----") ? null : "contains no certificate";
  } catch (error) {
    return `cannot be read (${error instanceof Error && "code" in error ? error.code : error})`;
  }
}
