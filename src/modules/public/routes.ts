/** Serves the public deep-link operations, without authentication. */
import type { Server } from "bun";
import { Elysia } from "elysia";
import { ResolveQuery, ResolveResponse } from "@/contract/links/links";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { HttpError } from "@/http/errors";

type Resolution =
  | { ok: true; value: typeof ResolveResponse.static }
  | { ok: false; status: number; error: string; retryAfterSeconds?: number };

export type ResolveLink = (
  query: typeof ResolveQuery.static,
  request: Request,
  server: Server<unknown> | null,
) => Promise<Resolution>;

export const publicRoutes = (resolve: ResolveLink, guard: Guard) =>
  new Elysia({ prefix: "/api/v1", tags: ["Deep links"] }).use(guard).get(
    "/resolve",
    async ({ query, request, server }) => {
      const resolution = await resolve(query, request, server);
      if (!resolution.ok) throw failure(resolution);
      return resolution.value;
    },
    {
      public: true,
      query: ResolveQuery,
      response: {
        200: ResolveResponse,
        ...failures(400, 403, 404, 410, 429, 503),
      },
      detail: {
        operationId: "resolveLink",
        summary: "Resolve a link for an app",
        description:
          "Uses facts from the query, and those of the request itself for any that are missing. Records an open, not a " +
          "click. Like every request, it can have 16 KB of URL and headers; a longer one gets 431 without a body.",
      },
    },
  );

function failure({ status, error, retryAfterSeconds = 1 }: Extract<Resolution, { ok: false }>): HttpError {
  const isPassing = status === 429 || status === 503;
  return new HttpError(status, error, undefined, isPassing ? { "retry-after": String(retryAfterSeconds) } : undefined);
}
