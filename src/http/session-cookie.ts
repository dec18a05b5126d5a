/**
 * The dashboard's session in the browser: the token in a cookie that no script reads, no other site sends along and no
 * other host can set. What it names is revoked with the session's row.
 */
export interface SessionCookie {
  /** The token that came along; undefined where there is none, or more than one. */
  read(request: Request): string | undefined;
  /** The `Set-Cookie` that keeps it. */
  keep(token: string): string;
  /** The `Set-Cookie` that takes it back. */
  forget(): string;
}

/** As long as a session lives. */
const LIFE_SECONDS = 12 * 3600;
/** Browsers keep none larger. */
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
