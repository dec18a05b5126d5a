/** Defines the roles of members and the scopes of API keys and access tokens. */

/** From least to most: each role may do all the lower ones may. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const SCOPES = ["links:read", "links:write", "qr:read", "events:write"] as const;
export type Scope = (typeof SCOPES)[number];

/** What access tokens may be given, with what each reaches; the role of the token's user is the ceiling of all. */
export const TOKEN_SCOPES = ["read", "links", "analytics", "manage"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
