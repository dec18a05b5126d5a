/**
 * Who may register: anybody, holders of an invitation, or nobody. The first account of a service can always be
 * registered.
 */
export const REGISTRATION_POLICIES = ["open", "invited", "closed"] as const;
export type RegistrationPolicy = (typeof REGISTRATION_POLICIES)[number];
