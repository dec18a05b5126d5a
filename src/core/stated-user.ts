/**
 * What an identity provider calls a user, for those who know no more of them than it does. `email`: the account's, which it
 * vouched for. Of sign-ins before names were kept, the name is made of that.
 */
export function statedUser(stated: { email: string | null; name: string | null }, email: string) {
  return { email: stated.email ?? email, name: stated.name ?? email.split("@", 1).join() };
}
