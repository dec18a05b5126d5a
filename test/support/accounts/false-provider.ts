/** A hostile OpenID provider: it follows the protocol except for the lies that a test configures. */
import { afterAll } from "bun:test";
import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface Lies {
  discovery?(document: Record<string, unknown>): unknown;
  /** Changes the query with which the browser is sent back. */
  answer?(query: URLSearchParams): void;
  /** Replaces the claims of the id_token. */
  claims?(claims: Record<string, unknown>): Record<string, unknown>;
  /** Returns the id_token in place of the signed one. */
  idToken?(claims: Record<string, unknown>): string | undefined;
  token?(): Response | Promise<Response>;
  jwks?(): Response;
  /** Observes or changes the parameters of the authorization request, such as `redirect_uri`. */
  authorize?(asked: URLSearchParams): void;
}

export interface FalseProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  claims: Record<string, unknown>;
  lies: Lies;
  /** The provider's private key, for tests that sign tokens themselves. */
  key: KeyObject;
}

interface Code {
  nonce: string;
  challenge: string;
}

/** Starts a provider that stops after the test file. */
export function startFalseProvider(): FalseProvider {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "first", use: "sig", alg: "RS256" };
  const codes = new Map<string, Code>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/.well-known/openid-configuration": (): Response =>
        asResponse(state.lies.discovery?.(discovery()) ?? discovery()),
      "/jwks": () => state.lies.jwks?.() ?? Response.json({ keys: [jwk] }),
      "/authorize": (request) => authorize(new URL(request.url).searchParams),
      "/token": async (request) => state.lies.token?.() ?? token(new URLSearchParams(await request.text())),
    },
  });
  afterAll(() => server.stop(true));
  const issuer = `http://127.0.0.1:${server.port}`;
  const state: FalseProvider = {
    ...{ issuer, clientId: "waymark", clientSecret: "a secret of the provider", key: privateKey, lies: {} },
    claims: { sub: "ada", email: "ada@acme.test", email_verified: true, name: "Ada" },
  };

  const discovery = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  });

  function authorize(asked: URLSearchParams): Response {
    state.lies.authorize?.(asked);
    const code = crypto.randomUUID();
    codes.set(code, { nonce: asked.get("nonce") ?? "", challenge: asked.get("code_challenge") ?? "" });
    const answer = new URLSearchParams({ code, state: asked.get("state") ?? "" });
    state.lies.answer?.(answer);
    return Response.redirect(`${asked.get("redirect_uri")}?${answer}`, 302);
  }

  function token(asked: URLSearchParams): Response {
    const code = codes.get(asked.get("code") ?? "");
    codes.delete(asked.get("code") ?? "");
    const isProven = code?.challenge === sha256(asked.get("code_verifier") ?? "");
    if (!code || !isProven) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + 300 };
    const true_ = { iss: issuer, aud: state.clientId, nonce: code.nonce, ...times, ...state.claims };
    const claims = state.lies.claims?.(true_) ?? true_;
    const id_token = state.lies.idToken ? state.lies.idToken(claims) : signed(claims, privateKey);
    return Response.json({ access_token: "an access token", token_type: "Bearer", expires_in: 300, id_token });
  }

  return state;
}

/** Returns a correct JWT, signed with this key. */
export const signed = (claims: object, key: KeyObject, header: object = { alg: "RS256", kid: "first" }): string => {
  const body = `${encoded(header)}.${encoded(claims)}`;
  return `${body}.${sign("sha256", Buffer.from(body), key).toString("base64url")}`;
};

export const signedBySecret = (claims: object, secret: string): string => {
  const body = `${encoded({ alg: "HS256" })}.${encoded(claims)}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
};

export const unsigned = (claims: object): string => `${encoded({ alg: "none" })}.${encoded(claims)}.`;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");

const asResponse = (value: unknown): Response => (value instanceof Response ? value : Response.json(value));
