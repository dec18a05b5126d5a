/** Single sign-on of an organization through its own OpenID provider. */
import { type Static, Type } from "@sinclair/typebox";
import { flag, instant, list, nullable, oneOf, optional, shape, text, withExample } from "../schema";

/** Limit of each organization. */
const SSO_DOMAINS_MAX = 50;

/** Roles that members can get when they first sign in through a provider: all except owner. */
export const SSO_ROLES = ["viewer", "member", "admin"] as const;
export type SsoRole = (typeof SSO_ROLES)[number];

const issuer = withExample(
  "https://login.acme.example",
  text(500, 1, "Exactly as in the provider's discovery document"),
);
const clientId = withExample("waymark", text(255, 1));
const domains = withExample(
  ["acme.example"],
  list(
    text(253, 1),
    SSO_DOMAINS_MAX,
    "Domains of email addresses that may sign in; subdomains count as separate domains",
  ),
);
const defaultRole = withExample(
  "member",
  oneOf(SSO_ROLES, "Role of members who sign in for the first time without an invitation"),
);

export const SsoUpdate = shape(
  {
    enabled: optional(
      withExample(true, flag("Requires `issuer`, `clientId`, an allowed domain and a provider that responds")),
    ),
    issuer: optional(nullable(issuer)),
    clientId: optional(nullable(clientId)),
    clientSecret: optional(nullable(withExample("a secret of the provider", text(1_000, 1, "Never shown again")))),
    allowedDomains: optional(nullable(domains)),
    defaultRole: optional(defaultRole),
    enforce: optional(
      withExample(false, flag("All members except owners must use single sign-on for this organization")),
    ),
  },
  { $id: "SsoUpdate" },
);
export type SsoUpdate = Static<typeof SsoUpdate>;

export const SsoConfiguration = shape(
  {
    enabled: withExample(true, Type.Boolean()),
    issuer: optional(issuer),
    clientId: optional(clientId),
    hasClientSecret: withExample(true, Type.Boolean({ description: "Whether a secret is stored; it is never shown" })),
    allowedDomains: domains,
    defaultRole,
    enforce: Type.Boolean(),
    callbackUrl: withExample(
      "https://links.acme.dev/api/v1/auth/sso/callback",
      Type.String({ description: "Register this with the provider as the redirect URI" }),
    ),
    startUrl: withExample(
      "https://links.acme.dev/api/v1/auth/sso/start?orgSlug=acme",
      Type.String({ description: "Where members start signing in" }),
    ),
    updatedAt: optional(instant("Omitted until settings are first saved")),
  },
  { $id: "SsoConfiguration", tagged: true },
);
export type SsoConfiguration = Static<typeof SsoConfiguration>;

export const SsoStartQuery = shape({
  orgSlug: optional(
    withExample("acme", Type.String({ description: "The organization's `slug`; without it, you get 400" })),
  ),
  returnTo: optional(
    withExample("/app/links", text(1_000, 0, "A path of the dashboard under `/app`; defaults to `/app`")),
  ),
  codeChallenge: optional(
    withExample(
      "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      Type.String({ description: "S256 code challenge (PKCE); required for a dashboard on another host" }),
    ),
  ),
  dashboard: optional(
    withExample(
      "https://links.acme.com",
      Type.String({ description: "Origin of one of the organization's dashboards; defaults to `DASHBOARD_URL`" }),
    ),
  ),
});
export type SsoStartQuery = Static<typeof SsoStartQuery>;

/** Parameters with which a provider redirects the browser back. Read from the raw URL: see `modules/sso`. */
export const SsoCallbackQuery = shape({
  code: optional(Type.String({ description: "Authorization code from the provider" })),
  state: optional(Type.String({ description: "State of the sign-in started in this browser" })),
  iss: optional(
    Type.String({ description: "The provider's issuer, if its discovery document says that it sends one" }),
  ),
  error: optional(Type.String({ description: "Why the provider refused" })),
});

export const SsoExchangeInput = shape(
  {
    code: withExample(
      "Jm3s0Qk2vX9pZ8tR7nB6yL5wD4fG1hC-aEiOuVqTz_M",
      text(128, 1, "The code from the dashboard's address, after `code=`"),
    ),
    codeVerifier: withExample(
      "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      Type.String({
        description: "Verifier whose `codeChallenge` started the sign-in",
        pattern: "^[A-Za-z0-9._~-]{43,128}$",
        error: "expected 43 to 128 letters, digits and -._~",
      }),
    ),
  },
  { $id: "SsoExchangeInput" },
);
export type SsoExchangeInput = Static<typeof SsoExchangeInput>;

/** Values of `?error=` in the dashboard's URL after a failed sign-in. Stable; more may be added. */
export const SSO_ERRORS = {
  unknown_start: "the address where it was to start names no organization that has single sign-on",
  state_mismatch: "the sign-in was not started in this browser, or is already finished",
  sign_in_expired: "it took more than ten minutes",
  sso_changed: "the organization's single sign-on was changed or turned off in the meantime",
  provider_unreachable: "the provider did not respond, or its response was invalid",
  provider_refused: "the provider refused the user or this service",
  token_invalid: "the provider's statement about the user could not be verified",
  email_missing: "the provider sent no email address",
  email_unverified: "the provider has not verified the email address",
  domain_not_allowed: "the email address belongs to a domain that may not sign in",
  email_unproven: "an unconfirmed account with this email address exists: confirm it with the mail it was sent",
  registration_closed: "no account has this email address, and only the operator creates accounts",
  plan_limit: "the organization's plan does not allow another member",
  too_many_attempts: "too many sign-ins from this address within a minute",
  server_error: "a fault of the service; it is logged",
} as const;
export type SsoError = keyof typeof SSO_ERRORS;
