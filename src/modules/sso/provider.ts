/**
 * Talks to organizations' identity providers with `openid-client`, only through the outbound client. What a provider
 * says of itself is kept for five minutes (its keys by the library, for as long), for 1,000 organizations at most
 * (`Refreshed`); a failure is not kept, and an old configuration never stands in. At most `DISCOVERIES_MAX` providers are
 * asked at once. A changed configuration is another one at once, on every server. A crash loses nothing.
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
/** For each request to a provider, of which a sign-in makes four at most. */
const REQUEST_SECONDS = 5;
const SCOPE = "openid email profile";

/** How an organization's provider is reached. */
export interface ProviderSettings {
  /** Names these very settings, of this organization. */
  key: string;
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
}

/** What a provider says of a user; nothing of it is checked but who says it. */
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
  /** Whether a URL without TLS may be asked for. */
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

    /** Where the browser goes to sign in, and what of it has to be kept. Throws `provider_unreachable`. */
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
     * Whom the provider vouches for, by what the browser brought back: the answer's issuer, the code with its verifier,
     * the token's signature, issuer, audience, times and nonce are checked. Throws `provider_unreachable`,
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

/** Finds out about a provider. Throws `provider_unreachable`. */
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

/** The provider's own word, in which its name is that very one. */
function usable(server: oidc.ServerMetadata, issuer: string): oidc.ServerMetadata {
  if (server.issuer !== issuer) throw new Error("The provider reports a different issuer");
  for (const endpoint of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
    if (!URL.canParse(server[endpoint] ?? "")) throw new Error(`The provider's metadata lacks ${endpoint}`);
  }
  return server;
}

/** As the provider asks for it; HTTP Basic unless it says otherwise (OpenID Connect Discovery section 3). */
function authentication(oidc: Library, server: oidc.ServerMetadata, secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic") ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
}

/** Throws `provider_unreachable` for an endpoint that no browser shall be sent to, as one without TLS. */
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

/** What the token does not tell, many providers tell at another endpoint. */
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
