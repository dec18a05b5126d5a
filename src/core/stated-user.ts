/**
 * Returns a user's email and name as the organization's identity provider stated them, for readers who may not see
 * more of the account. `email` is the account's address, which the provider vouched for. For sign-ins from before
 * names were stored, the name is derived from it.
 */
export function statedUser(stated: { email: string | null; name: string | null }, email: string) {
  return { email: stated.email ?? email, name: stated.name ?? email.split("@", 1).join() };
}
