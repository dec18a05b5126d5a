/**
 * Decides which passwords are refused: the most common ones, which attackers try first, the account's email address
 * and the name of the service. Comparisons ignore case. The schema checks the length; there are no composition rules
 * (NIST SP 800-63B section 5.1.1.2).
 *
 * State: the list of common passwords, about 1 MB, read when the first password is set and kept in memory from then
 * on.
 */
import { readFileSync } from "node:fs";
import { ownFile } from "@/platform/own-files";

const SERVICE_NAME = "waymark";
let common: Set<string> | undefined;

/** Returns what is wrong with a new password other than its length; undefined if nothing is. */
export function passwordFault(password: string, email: string): string | undefined {
  const lowered = password.toLowerCase();
  common ??= readCommon();
  if (common.has(lowered)) return "password: too common; choose another one";
  if (lowered === email.toLowerCase()) return "password: must not be the email address";
  if (isServiceName(lowered)) return "password: must not be the name of the service";
  return undefined;
}

/** Ignores the digits and symbols that make the name long enough for a password. */
const isServiceName = (lowered: string): boolean => lowered.replace(/[^\p{L}]/gu, "") === SERVICE_NAME;

function readCommon(): Set<string> {
  const lines = readFileSync(ownFile("src/modules/auth/common-passwords.txt"), "utf8").split("\n");
  return new Set(lines.filter((line) => line !== "" && !line.startsWith("#")));
}
