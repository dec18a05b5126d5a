/** Where a browser goes whose sign-in cannot start, or is past the limits of its address. */
import type { SsoError } from "@/contract/accounts/sso";
import { APP_PATH } from "@/http/app-path";
import type { Attempts, SignInAttempt } from "./attempt";
import type { Dashboards } from "./dashboards";
import { SsoFailure } from "./failure";
import { dashboardRedirectUrl, type SignInStep } from "./sign-in";

export interface RefusalOptions {
  attempts: Pick<Attempts, "resume">;
  dashboards: Dashboards;
}

export type SsoRefusals = ReturnType<typeof createSsoRefusals>;

export function createSsoRefusals({ attempts, dashboards }: RefusalOptions) {
  return {
    /** Reports whether the provider's response belongs to a sign-in that this browser began. */
    isBegun: (answer: URLSearchParams, cookies: string | null): boolean => resumed(answer, cookies) !== undefined,

    /** Ends the first step at the dashboard on the host where it was asked for. */
    start: (host: string, error: SsoError): SignInStep => ({
      location: `${dashboards.at(host) ?? dashboards.own}${APP_PATH}?error=${error}`,
      cookies: [],
    }),

    /** Ends the browser's return. Keeps the cookie: the response may still be used in a minute. */
    callback(answer: URLSearchParams, cookies: string | null, error: SsoError): SignInStep {
      const attempt = resumed(answer, cookies);
      const location = attempt
        ? dashboardRedirectUrl(dashboards, attempt, { error })
        : `${dashboards.main}${APP_PATH}?error=${error}`;
      return { location, cookies: [] };
    },
  };

  function resumed(answer: URLSearchParams, cookies: string | null): SignInAttempt | undefined {
    try {
      return attempts.resume(cookies, answer);
    } catch (error) {
      if (error instanceof SsoFailure) return undefined;
      throw error;
    }
  }
}
