/** Which methods a path takes: for `405` with `Allow`, where a request names a path there is by another method. */
import { HttpError } from "./errors";

export interface Routed {
  method: string;
  /** In a path, `:name` stands for a segment of any text. */
  path: string;
}

/** The methods of the path, none for one that nothing is routed at. */
export type MethodsAt = (pathname: string) => string[];

/** `routes` is asked once, when the first request goes astray. */
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

/** As the router reads it, which does not mind a slash at the end. */
function patternOf(path: string): RegExp {
  const segments = path.split("/").map((segment) => (segment.startsWith(":") ? "[^/]+" : RegExp.escape(segment)));
  return new RegExp(`^${segments.join("/")}/?$`);
}
