/**
 * A stand-in for Google Web Risk's Lookup API on loopback. It responds as documented:
 * https://cloud.google.com/web-risk/docs/lookup-api
 */
import { afterAll } from "bun:test";
import { THREATS } from "@/platform/safety/web-risk";

export interface TestWebRisk {
  url: string;
  key: string;
  /** Threat types by URL. */
  threats: Map<string, string[]>;
  /** Until when a match may be cached. */
  expireTime: string;
  /** URLs that were looked up. */
  asked: string[];
  /** Makes every response until it is null again. */
  failing: (() => Response | Promise<Response>) | null;
}

/** Starts a stand-in that stops after the test file. */
export function startTestWebRisk(): TestWebRisk {
  const webRisk: TestWebRisk = {
    url: "",
    key: "web-risk-key",
    threats: new Map(),
    expireTime: "2099-07-17T15:01:23.045123456Z",
    asked: [],
    failing: null,
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => answer(webRisk, request),
  });
  afterAll(() => server.stop(true));
  webRisk.url = `http://127.0.0.1:${server.port}`;
  return webRisk;
}

function answer(webRisk: TestWebRisk, request: Request): Response | Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const uri = searchParams.get("uri");
  const isKnownAs = Bun.deepEquals(searchParams.getAll("threatTypes"), [...THREATS]);
  if (request.method !== "GET" || pathname !== "/v1/uris:search") return errorResponse(404, "NOT_FOUND");
  if (uri === null || !isKnownAs) return errorResponse(400, "INVALID_ARGUMENT");
  if (request.headers.get("x-goog-api-key") !== webRisk.key) return errorResponse(400, "API_KEY_INVALID");
  webRisk.asked.push(uri);
  if (webRisk.failing) return webRisk.failing();
  const threatTypes = webRisk.threats.get(uri);
  return Response.json(threatTypes ? { threat: { threatTypes, expireTime: webRisk.expireTime } } : {});
}

export const errorResponse = (code: number, status: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message: "Refused.", status } }, { status: code, headers });
