import { isCheckWithoutHost } from "@/platform/hosts/hostless";
import { withOriginal } from "../dashboard/stand-in";

/** A name of this machine, where the service's own paths are always served. */
const OWN_ORIGIN = "http://localhost";

/** Returns the request that the API serves in place of a check without a host; every other request as it is. */
export function withHost(request: Request): Request {
  if (!isCheckWithoutHost(request)) return request;
  const { url, method, headers, signal } = request;
  return withOriginal(new Request(OWN_ORIGIN + url, { method, headers, signal }), request);
}
