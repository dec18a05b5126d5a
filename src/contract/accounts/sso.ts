/** Single sign-on of an organization through its own OpenID provider. */
import { type Static, Type } from "@sinclair/typebox";
import { flag, instant, list, nullable, oneOf, optional, shape, shown, text } from "../schema";

/** Of one organization. */
const SSO_DOMAINS_MAX = 50;

/** What a provider may make of those who sign in for the first time: all but an owner. */
export const SSO_ROLES = ["viewer", "member", "admin"] as const;
export type SsoRole = (typeof SSO_ROLES)[number];

const issuer = shown("https://login.acme.example", text(500, 1, "Exactly as the provider's discovery document has it"));
const clientId = shown("waymark", text(255, 1));
const domains = shown(
  ["acme.example"],
  list(text(253, 1), SSO_DOMAINS_MAX, "Of the email addresses that may sign in; a subdomain is another domain"),
);
const defaultRole = shown("member", oneOf(SSO_ROLES, "Of those who sign in for the first time without an invitation"));

export const SsoUpdate = shape(
  {
    enabled: optional(
      shown(true, flag("Needs `issuer`, `clientId` and an allowed domain, and a provider that answers")),
    ),
    issuer: optional(nullable(issuer)),
    clientId: optional(nullable(clientId)),
    clientSecret: optional(nullable(shown("a secret of the provider", text(1_000, 1, "Never shown again")))),
    allowedDomains: optional(nullable(domains)),
    defaultRole: optional(defaultRole),
    enforce: optional(shown(false, flag("Members but for owners reach the organization by single sign-on alone"))),
  },
  { $id: "SsoUpdate" },
);
export type SsoUpdate = Static<typeof SsoUpdate>;

export const SsoConfiguration = shape(
  {
    enabled: shown(true, Type.Boolean()),
    issuer: optional(issuer),
    clientId: optional(clientId),
    hasClientSecret: shown(true, Type.Boolean({ description: "Whether a secret is kept; it is never shown" })),
    allowedDomains: domains,
    defaultRole,
    enforce: Type.Boolean(),
    callbackUrl: shown(
      "https://links.acme.dev/api/v1/auth/sso/callback",
      Type.String({ description: "To be registered at the provider as the redirect URI" }),
    ),
    startUrl: shown(
      "https://links.acme.dev/api/v1/auth/sso/start?orgSlug=acme",
      Type.String({ description: "Where members begin to sign in" }),
    ),
    updatedAt: optional(instant("Absent while nothing was ever set")),
  },
  { $id: "SsoConfiguration" },
);
export type SsoConfiguration = Static<typeof SsoConfiguration>;

export const SsoStartQuery = shape({
  orgSlug: optional(shown("acme", Type.String({ description: "The organization's `slug`. 400 without it" }))),
  returnTo: optional(shown("/app/links", text(1_000, 0, "A path of the dashboard, under `/app`; `/app` when absent"))),
  codeChallenge: optional(
    shown(
      "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      Type.String({ description: "Of a verifier, by PKCE's S256; 400 without it for a dashboard on another host" }),
    ),
  ),
  dashboard: optional(
    shown(
      "https://links.acme.com",
      Type.String({ description: "Origin of a dashboard of the organization; `DASHBOARD_URL` when absent" }),
    ),
  ),
});
export type SsoStartQuery = Static<typeof SsoStartQuery>;

/** What a provider's browser brings back. Read from the URL as it came: see `modules/sso`. */
export const SsoCallbackQuery = shape({
  code: optional(Type.String({ description: "What the user's word is exchanged for" })),
  state: optional(Type.String({ description: "That of the sign-in which this browser began" })),
  iss: optional(Type.String({ description: "The provider's issuer, where it announces to send it" })),
  error: optional(Type.String({ description: "Why the provider refused" })),
});

export const SsoExchangeInput = shape(
  {
    code: shown(
      "Jm3s0Qk2vX9pZ8tR7nB6yL5wD4fG1hC-aEiOuVqTz_M",
      text(128, 1, "Of the dashboard's address, after `code=`"),
    ),
    codeVerifier: shown(
      "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      Type.String({
        description: "Whose `codeChallenge` the sign-in was begun with",
        pattern: "^[A-Za-z0-9._~-]{43,128}$",
        error: "expected 43 to 128 letters, digits and -._~",
      }),
    ),
  },
  { $id: "SsoExchangeInput" },
);
export type SsoExchangeInput = Static<typeof SsoExchangeInput>;

/** What `?error=` of the dashboard's URL may be after a sign-in that failed. Stable; more may come. */
export const SSO_ERRORS = {
  state_mismatch: "the sign-in was not begun in this browser, or is over",
  sign_in_expired: "it took more than ten minutes",
  sso_changed: "the organization's single sign-on was changed or turned off meanwhile",
  provider_unreachable: "the provider did not answer, or not as it should",
  provider_refused: "the provider refused the user or this service",
  token_invalid: "what the provider said of the user is not proven",
  email_missing: "the provider told no email address",
  email_unverified: "the provider does not vouch for the email address",
  domain_not_allowed: "the email address is of a domain that may not sign in",
  email_unproven: "an account with the email address exists, which has yet to confirm it: see the mail it was sent",
  registration_closed: "there is no account with the email address, and the operator alone makes some",
  plan_limit: "the organization's plan has no room for another member",
  server_error: "our doing; it is logged",
} as const;
export type SsoError = keyof typeof SSO_ERRORS;
