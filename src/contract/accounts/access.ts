/** Defines the roles of members and the scopes of API keys. */

/** From least to most: each role may do all the lower ones may. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const SCOPES = ["links:read", "links:write", "qr:read", "events:write"] as const;
export type Scope = (typeof SCOPES)[number];
