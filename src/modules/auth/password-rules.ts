/**
 * Which passwords are refused: the most common ones, which are tried first, and what anybody knows of the account. Compared
 * without case. Length is the schema's rule; there are no composition rules (NIST SP 800-63B section 5.1.1.2).
 *
 * State: the list of common passwords, about 1 MB, read when the first password is set and kept from then on.
 */
import { readFileSync } from "node:fs";
import { ownFile } from "@/platform/own-files";

const SERVICE_NAME = "waymark";
let common: Set<string> | undefined;

/** What is wrong with a new password beyond its length, or undefined. */
export function passwordFault(password: string, email: string): string | undefined {
  const lowered = password.toLowerCase();
  common ??= readCommon();
  if (common.has(lowered)) return "password: too common; choose another one";
  if (lowered === email.toLowerCase()) return "password: must not be the email address";
  if (isServiceName(lowered)) return "password: must not be the name of the service";
  return undefined;
}

/** With whatever digits and signs make it long enough. */
const isServiceName = (lowered: string): boolean => lowered.replace(/[^\p{L}]/gu, "") === SERVICE_NAME;

function readCommon(): Set<string> {
  const lines = readFileSync(ownFile("src/modules/auth/common-passwords.txt"), "utf8").split("\n");
  return new Set(lines.filter((line) => line !== "" && !line.startsWith("#")));
}
