/** The roles of members and the scopes of API keys and access tokens. */

/** From lowest to highest: each role may do everything that lower ones may. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const SCOPES = ["links:read", "links:write", "qr:read", "events:write"] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes of access tokens. The role of the token's user limits them all. */
export const TOKEN_SCOPES = ["read", "links", "analytics", "manage"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
