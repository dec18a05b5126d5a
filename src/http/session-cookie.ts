/**
 * The dashboard's session in the browser. The token is in a cookie that no script can read, no other site can send
 * and no other host can set. Deleting the session's row revokes it.
 */
export interface SessionCookie {
  /** Returns the token; undefined if there is none, or more than one. */
  read(request: Request): string | undefined;
  /** Returns the `Set-Cookie` that stores the token. */
  keep(token: string): string;
  /** Returns the `Set-Cookie` that deletes the token. */
  forget(): string;
}

/** The lifetime of a session. */
const LIFE_SECONDS = 12 * 3600;
/** Browsers store no larger cookies. */
const LENGTH_MAX = 4096;

export function createSessionCookie(isSecure: boolean): SessionCookie {
  const name = isSecure ? "__Host-waymark" : "waymark";
  const cookie = (value: string, seconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read(request) {
      const [value, ...others] = cookiesNamed(name, request.headers.get("cookie") ?? "");
      return value && others.length === 0 && value.length <= LENGTH_MAX ? value : undefined;
    },
    keep: (token) => cookie(token, LIFE_SECONDS),
    forget: () => cookie("", 0),
  };
}

export const cookiesNamed = (name: string, cookies: string): string[] =>
  cookies
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
