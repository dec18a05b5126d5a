/**
 * Where a person was going when they found that they had forgotten their password. Their browser keeps it until the new
 * one is set. The mail with the link cannot say it: whoever requests a mail for somebody else would choose what it says.
 */
import { appPath } from "@/http/app-path";
import { cookiesNamed } from "@/http/session-cookie";
import { PATHS } from "./paths";

const NAME = "waymark-return";
/** As long as the link works. */
const LIFE_SECONDS = 3_600;

/** Returns the path; undefined if there is none. */
export const keptReturn = ({ headers }: Request): string | undefined =>
  appPath(Buffer.from(cookiesNamed(NAME, headers.get("cookie") ?? "")[0] ?? "", "base64url").toString());

/** Returns the `Set-Cookie` that stores the path, or deletes what was stored if there is none. */
export function keepReturn(path: string | undefined, isSecure: boolean): string {
  const value = Buffer.from(path ?? "").toString("base64url");
  const seconds = path === undefined ? 0 : LIFE_SECONDS;
  // A link in a mail is followed from another site, which a stricter cookie would be withheld from.
  return `${NAME}=${value}; Path=${PATHS.resetPassword}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}
