/** Checks the parameters that begin a sign-in: whose it is, and where and how it ends. */
import type { SsoStartQuery } from "@/contract/accounts/sso";
import { APP_PATH, appPath } from "@/http/app-path";
import { invalid } from "@/http/errors";
import type { Dashboards } from "./dashboards";

/** Describes a dashboard on another host. */
export interface OtherHostDashboard {
  dashboard: string;
  codeChallenge: string;
}

export interface CheckedStart {
  orgSlug: string;
  returnTo: string;
  /** Null for the service's own pages. */
  elsewhere: OtherHostDashboard | null;
}

/** 32 bytes in base64url, the output of S256. */
const CHALLENGE = /^[\w-]{43}$/;

/** `asked`: the dashboard on whose host the sign-in began, if not the service's own. Throws 400 with every fault. */
export function checkedStart(query: SsoStartQuery, asked: string | undefined, { own, main }: Dashboards): CheckedStart {
  const { orgSlug, returnTo = APP_PATH, codeChallenge } = query;
  const path = pathBack(returnTo);
  // A caller with a challenge is not one of our own pages.
  const dashboard = asked ?? query.dashboard ?? (codeChallenge === undefined ? own : main);
  const needsCode = dashboard !== own;
  const faults: string[] = [];
  if (!orgSlug) faults.push("orgSlug: required");
  if (!path) faults.push("returnTo: expected a path of the dashboard, like /app/links");
  if (needsCode && codeChallenge === undefined) faults.push("codeChallenge: required for a dashboard on another host");
  if (codeChallenge !== undefined && !CHALLENGE.test(codeChallenge)) {
    faults.push("codeChallenge: expected the SHA-256 of the verifier in base64url, 43 characters");
  }
  if (!orgSlug || !path || faults.length > 0) throw invalid(faults);
  return { orgSlug, returnTo: path, elsewhere: needsCode ? { dashboard, codeChallenge: codeChallenge ?? "" } : null };
}

/**
 * Returns the path without the parameters that only the end of a sign-in may set; undefined if it is no dashboard
 * path.
 */
function pathBack(returnTo: string): string | undefined {
  const path = appPath(returnTo);
  if (!path || !/[?&](?:code|error)=/.test(path)) return path;
  const url = new URL(path, "https://dashboard.invalid");
  for (const name of ["code", "error"]) url.searchParams.delete(name);
  return url.pathname + url.search;
}
