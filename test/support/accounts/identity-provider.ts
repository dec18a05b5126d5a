/** A real OpenID provider (`oidc-provider`) on loopback that signs in every browser as `user`, without a form. */
import { afterAll } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import Provider from "oidc-provider";

export interface ProviderUser {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The user who signs in next. */
  user: ProviderUser;
  /** Whether sign-ins are denied, as by a user who declines. */
  isRefusing: boolean;
  /** Requests received, as `POST /token`. */
  requests: string[];
}

export interface IdentityProviderOptions {
  callbackUrl: string;
  /** Whether claims are in the id_token, or only at the userinfo endpoint. Default: true. */
  isTellingInToken?: boolean;
}

const LIFE_SECONDS = 600;

/** Starts a provider that stops after the test file. */
export async function startIdentityProvider({
  callbackUrl,
  isTellingInToken = true,
}: IdentityProviderOptions): Promise<IdentityProvider> {
  const { server, origin } = await listen();
  const [clientId, clientSecret] = ["waymark", `secret-${crypto.randomUUID()}`];
  const state: IdentityProvider = {
    ...{ issuer: origin, clientId, clientSecret, requests: [], isRefusing: false },
    user: { sub: "ada", email: "ada@acme.test", email_verified: true, name: "Ada" },
  };
  const users = new Map<string, ProviderUser>();
  const provider = new Provider(origin, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [callbackUrl] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: !isTellingInToken,
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => users.get(sub) ?? { sub } }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    cookies: { keys: ["a key of the tests"] },
    jwks: { keys: [signingKey()] },
    ttl: {
      Interaction: LIFE_SECONDS,
      Session: LIFE_SECONDS,
      Grant: LIFE_SECONDS,
      AccessToken: LIFE_SECONDS,
      IdToken: LIFE_SECONDS,
    },
  });
  const answer = provider.callback();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? "").split("?", 1).join();
    state.requests.push(`${request.method} ${path}`);
    if (!path.startsWith("/interaction/")) return void answer(request, response);
    users.set(state.user.sub, { ...state.user });
    return void interact(provider, state, request, response);
  });
  return state;
}

async function interact(
  provider: Provider,
  state: IdentityProvider,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { prompt } = await provider.interactionDetails(request, response);
  const accountId = state.user.sub;
  if (state.isRefusing) {
    return provider.interactionFinished(request, response, { error: "access_denied", error_description: "No" });
  }
  if (prompt.name === "login") return provider.interactionFinished(request, response, { login: { accountId } });
  const grant = new provider.Grant({ accountId, clientId: state.clientId });
  grant.addOIDCScope("openid email profile");
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

const signingKey = () => ({
  ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
  use: "sig",
  kid: "first",
});

async function listen(): Promise<{ server: Server; origin: string }> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The provider has no port");
  return { server, origin: `http://127.0.0.1:${address.port}` };
}
