/**
 * Finds the methods that a path supports, to respond with `405` and `Allow` if only the method of a request is wrong.
 */
import { HttpError } from "./errors";

export interface Routed {
  method: string;
  /** `:name` in a path stands for one segment with any text. */
  path: string;
}

/** Returns the methods that the path supports; none if there is no such route. */
export type MethodsAt = (pathname: string) => string[];

/** Calls `routes` once, for the first request without a route. */
export function methodsAmong(routes: () => readonly Routed[]): MethodsAt {
  let known: { method: string; pattern: RegExp }[] | undefined;
  return (pathname) => {
    known ??= routes().map(({ method, path }) => ({ method, pattern: patternOf(path) }));
    const methods = new Set(known.filter(({ pattern }) => pattern.test(pathname)).map(({ method }) => method));
    if (methods.size === 0) return [];
    if (methods.has("GET")) methods.add("HEAD");
    return [...methods.add("OPTIONS")].toSorted();
  };
}

export const methodNotAllowed = (method: string, allowed: string[]) =>
  new HttpError(405, `This path does not support ${method}; use ${allowed.join(", ")}`, undefined, {
    allow: allowed.join(", "),
  });

/** Matches as the router does, which ignores a trailing slash. */
function patternOf(path: string): RegExp {
  const segments = path.split("/").map((segment) => (segment.startsWith(":") ? "[^/]+" : RegExp.escape(segment)));
  return new RegExp(`^${segments.join("/")}/?$`);
}
