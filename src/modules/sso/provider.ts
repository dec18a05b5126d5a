/**
 * Talks to organizations' identity providers with `openid-client`, only through the outbound client. A provider's
 * discovery document is cached for five minutes (the library caches its keys for as long), for at most 1,000
 * organizations (see `Refreshed`). A failure is not cached, and an expired document is never used. At most
 * `DISCOVERIES_MAX` providers are queried at the same time. A changed configuration has a cache entry of its own, so
 * every server uses it immediately. A crash loses nothing.
 *
 * The library is loaded with the first sign-in.
 */
import type * as oidc from "openid-client";
import type { Clock } from "@/platform/clock";
import { type Outbound, OutboundError } from "@/platform/outbound/outbound";
import { Refreshed } from "@/platform/refreshed";
import type { SignInAttempt } from "./attempt";
import { vouchesForEmail } from "./claims";
import { providerFailure, SsoFailure } from "./failure";

const KEPT_MS = 5 * 60_000;
const KEPT_MAX = 1_000;
const DISCOVERIES_MAX = 200;
/** Per request to a provider; a sign-in makes at most four. */
const REQUEST_SECONDS = 5;
const SCOPE = "openid email profile";

/** How an organization's provider is reached. */
export interface ProviderSettings {
  /** Identifies exactly these settings of this organization. */
  key: string;
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
}

/** What a provider states about a user. Only who states it has been checked. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  email: unknown;
  emailVerified: boolean;
  name: unknown;
}

export interface ProviderOptions {
  outbound: Outbound;
  clock: Clock;
  callbackUrl: string;
  /** Whether a URL without TLS may be requested. */
  isAllowedPlain(url: URL): boolean;
}

export type Providers = ReturnType<typeof createProviders>;

export function createProviders({ outbound, clock, callbackUrl, isAllowedPlain }: ProviderOptions) {
  const fetch: oidc.CustomFetch = async (text, init) => {
    const url = new URL(text);
    if (url.protocol === "http:" && !isAllowedPlain(url))
      throw new OutboundError("bad_url", "A provider must use https");
    return outbound.fetch(url, init);
  };

  const configurations = new Refreshed<ProviderSettings, oidc.Configuration>({
    keyOf: ({ key }) => key,
    load: (settings) => discover(fetch, settings),
    clock,
    freshMs: KEPT_MS,
    loadsMax: DISCOVERIES_MAX,
    refusal: () => new SsoFailure("provider_unreachable", new Error(`Already asking ${DISCOVERIES_MAX} providers`)),
    weightMax: KEPT_MAX,
  });

  return {
    discover: (settings: Sought) => discover(fetch, settings),

    /**
     * Returns the URL where the browser signs in, and what has to be kept until it returns. Throws
     * `provider_unreachable`.
     */
    async begin(
      settings: ProviderSettings,
    ): Promise<{ url: string } & Pick<SignInAttempt, "state" | "nonce" | "verifier">> {
      const [configuration, oidc] = await Promise.all([configurations.of(settings), library()]);
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
      const url = authorizationUrl(oidc, configuration, {
        redirect_uri: callbackUrl,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return { url, state, nonce, verifier };
    },

    /**
     * Returns the claims about the user, given what the browser brought back. Checks the response's issuer, the code
     * with its verifier, and the token's signature, issuer, audience, times and nonce. Throws `provider_unreachable`,
     * `provider_refused` and `token_invalid`.
     */
    async finish(settings: ProviderSettings, attempt: SignInAttempt, answer: URLSearchParams): Promise<ProviderClaims> {
      try {
        const [configuration, oidc] = await Promise.all([configurations.of(settings), library()]);
        const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${callbackUrl}?${answer}`), {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims?.iss !== settings.issuer) throw new SsoFailure("token_invalid");
        return claimsOf(claims, await profile(configuration, tokens.access_token, claims));
      } catch (error) {
        throw providerFailure(error, "token_invalid");
      }
    },
  };
}

type Library = typeof oidc;

const library = (): Promise<Library> => import("openid-client");

type Sought = Omit<ProviderSettings, "key">;

/** Fetches a provider's discovery document. Throws `provider_unreachable`. */
async function discover(fetch: oidc.CustomFetch, { issuer, clientId, clientSecret }: Sought) {
  const oidc = await library();
  const execute = new URL(issuer).protocol === "http:" ? [oidc.allowInsecureRequests] : [];
  try {
    const options = { timeout: REQUEST_SECONDS, execute, [oidc.customFetch]: fetch };
    const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), options);
    const server = usable(found.serverMetadata(), issuer);
    const configuration = new oidc.Configuration(
      server,
      clientId,
      clientSecret,
      authentication(oidc, server, clientSecret),
    );
    configuration.timeout = REQUEST_SECONDS;
    configuration[oidc.customFetch] = fetch;
    for (const extension of [...execute, oidc.enableNonRepudiationChecks]) extension(configuration);
    return configuration;
  } catch (error) {
    throw providerFailure(error, "provider_unreachable");
  }
}

/** Checks that the document is this issuer's and complete. */
function usable(server: oidc.ServerMetadata, issuer: string): oidc.ServerMetadata {
  if (server.issuer !== issuer) throw new Error("The provider reports a different issuer");
  for (const endpoint of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
    if (!URL.canParse(server[endpoint] ?? "")) throw new Error(`The provider's metadata lacks ${endpoint}`);
  }
  return server;
}

/**
 * Returns the client authentication the provider supports; HTTP Basic by default (OpenID Connect Discovery, section
 * 3).
 */
function authentication(oidc: Library, server: oidc.ServerMetadata, secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic") ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
}

/** Throws `provider_unreachable` for an endpoint to which no browser must be sent, such as one without TLS. */
function authorizationUrl(
  oidc: Library,
  configuration: oidc.Configuration,
  parameters: Record<string, string>,
): string {
  try {
    return oidc.buildAuthorizationUrl(configuration, parameters).href;
  } catch (error) {
    throw providerFailure(error, "provider_unreachable");
  }
}

type Claims = Record<string, unknown> & { iss: string; sub: string };

/**
 * Returns the claims about the user's email: many providers serve those missing from the token at the userinfo
 * endpoint.
 */
async function profile(configuration: oidc.Configuration, accessToken: string, claims: Claims) {
  const isTold = claims.email !== undefined && (claims.email_verified ?? claims.xms_edov) !== undefined;
  if (isTold || !configuration.serverMetadata().userinfo_endpoint) return claims;
  const oidc = await library();
  const told = await oidc.fetchUserInfo(configuration, accessToken, claims.sub);
  return told.email === undefined ? claims : told;
}

const claimsOf = ({ iss, sub, name }: Claims, told: Record<string, unknown>): ProviderClaims => ({
  issuer: iss,
  subject: sub,
  email: told.email,
  emailVerified: vouchesForEmail(iss, told),
  name: told.name ?? name,
});
