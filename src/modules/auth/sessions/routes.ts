import { Elysia, t } from "elysia";
import { SessionPage } from "@/contract/accounts/sessions";
import { Deleted, pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { Db } from "@/platform/db/tx";
import { SESSIONS_MAX, type Sessions } from "./sessions";

export const sessionRoutes = (sessions: Sessions, db: Db, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/auth/sessions", tags: ["Accounts"] })
    .use(guard)
    .get("", ({ user, query }) => sessions.list(db, user, query.page ?? 1, query.limit ?? PAGE_LIMIT), {
      user: true,
      query: t.Object(pageQuery),
      response: { 200: SessionPage, ...failures(400, 401, 403) },
      detail: {
        operationId: "listSessions",
        summary: "List your sessions",
        description: `A user can have ${SESSIONS_MAX} sessions; one more ends the oldest. Not available to single sign-on sessions.`,
      },
    })
    .delete("/:sessionId", ({ user, params }) => sessions.revoke(db, user, params.sessionId), {
      user: true,
      response: { 200: Deleted, ...failures(401, 403, 404) },
      detail: {
        operationId: "revokeSession",
        summary: "End a session",
        description:
          "Ends the session immediately; this can be the calling session. Not available to single sign-on sessions.",
      },
    });
