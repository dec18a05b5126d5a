/** Organizations with single sign-on, and browsers that sign in through it. */

import { takePort } from "@test/support/servers/test-port";
import type { SsoConfiguration, SsoUpdate } from "@/contract/accounts/sso";
import { type Account, CLIENT_HEADER, startTestService, type TestService, type TestServiceOptions } from "../service";

export interface SsoService extends TestService {
  callbackUrl: string;
}

/** Starts a service that may reach providers on loopback. */
export async function startSsoService(options: TestServiceOptions = {}): Promise<SsoService> {
  const port = await takePort();
  const base = `http://127.0.0.1:${port}`;
  const service = await startTestService({
    ...options,
    env: {
      ...{ PORT: String(port), BASE_URL: base, OUTBOUND_ALLOW: "127.0.0.1" },
      ...options.env,
    },
  });
  return { ...service, callbackUrl: `${base}/api/v1/auth/sso/callback` };
}

export const ssoPath = (orgId: string): string => `/api/v1/organizations/${orgId}/sso`;

interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Enables single sign-on for the account's organization. */
export async function enableSso(
  { call }: TestService,
  { token, orgId }: Account,
  { issuer, clientId, clientSecret }: Provider,
  fields: SsoUpdate = {},
): Promise<SsoConfiguration> {
  const body = { enabled: true, issuer, clientId, clientSecret, allowedDomains: ["acme.test"], ...fields };
  const reply = await call<SsoConfiguration>("PATCH", ssoPath(orgId), { token, body });
  if (reply.status !== 200) throw new Error(`update SSO answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** The result of a sign-in as the dashboard receives it: a session token in a cookie, or an error in the query. */
export interface Outcome {
  path: string;
  token?: string;
  error?: string;
}

const SESSION = "waymark";

/** Returns the outcome of a sign-in from its last response. */
export function outcomeOf(response: Response): Outcome {
  const url = new URL(response.headers.get("location") ?? "");
  if (url.origin !== new URL(response.url).origin) throw new Error(`A sign-in ended at ${url}`);
  const [cookie] = response.headers.getSetCookie().filter((set) => set.startsWith(`${SESSION}=`));
  return outcome(url, /=([^;]+)/.exec(cookie ?? "")?.[1]);
}

function outcome(url: URL, token: string | undefined): Outcome {
  if (url.hash !== "") throw new Error(`A sign-in ended in a fragment: ${url}`);
  const error = url.searchParams.get("error");
  url.searchParams.delete("error");
  return { path: url.pathname + url.search, ...(token && { token }), ...(error !== null && { error }) };
}

/** Signs in, from the first step to the dashboard, in a new browser unless one is given. */
export async function signIn(startUrl: string, browser = openBrowser()): Promise<Outcome> {
  const { origin } = new URL(startUrl);
  const end = await browser.follow(startUrl, `${origin}/app`);
  return outcome(new URL(end), browser.jars.get(origin)?.get(SESSION));
}

/** Returns a browser that handles redirects and cookies. Each origin has its own cookies; their paths are ignored. */
export function openBrowser() {
  const address = randomAddress();
  const jars = new Map<string, Map<string, string>>();

  /** Makes one request without following redirects. */
  async function step(url: string): Promise<Response> {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { [CLIENT_HEADER]: address, ...(cookie && { cookie }) },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "" || /max-age=0/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /**
   * Follows redirects until one leads to a URL that starts with `until`, and returns that URL without requesting it.
   */
  async function follow(url: string, until: string): Promise<string> {
    let next = url;
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      const response = await step(next);
      const location = response.headers.get("location");
      if (!location) throw new Error(`${next} answered ${response.status}: ${await response.text()}`);
      next = new URL(location, next).href;
      if (next.startsWith(until)) return next;
    }
    throw new Error(`${url} led in circles`);
  }

  return { step, follow, jars };
}

const STEPS_MAX = 12;

const randomAddress = () => `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
