/** Who may register: anybody; whoever has an invitation; nobody. The first account of a service always may. */
export const REGISTRATION_POLICIES = ["open", "invited", "closed"] as const;
export type RegistrationPolicy = (typeof REGISTRATION_POLICIES)[number];
