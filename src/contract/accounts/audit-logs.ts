/** The audit log: who changed what, and when. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import {
  freeObject,
  id,
  instant,
  instantInput,
  nullable,
  oneOf,
  optional,
  pageOf,
  pageQuery,
  shape,
  text,
  withExample,
} from "../schema";
import { EMAIL_LENGTH_MAX } from "./auth";

const ACTION_LENGTH_MAX = 100;

export const AuditLogQuery = t.Object({
  ...pageQuery,
  action: optional(text(ACTION_LENGTH_MAX, 1, "Exact action, like `link.create`")),
  resourceType: optional(text(ACTION_LENGTH_MAX, 1, "Exact type, like `link`")),
  from: optional(instantInput("Inclusive")),
  to: optional(instantInput("Exclusive")),
  teamEmail: optional(text(EMAIL_LENGTH_MAX, 1, "Exact email address of the actor")),
});
export type AuditLogQuery = Static<typeof AuditLogQuery>;

const ACTOR_TYPES = ["user", "apiKey", "system"] as const;

export const AuditLog = shape(
  {
    _id: id(),
    action: withExample("link.update", Type.String()),
    resourceType: withExample("link", Type.String()),
    resourceId: id(),
    resourceName: optional(
      withExample(
        "Spring sale",
        Type.String({
          description:
            "What people know the resource by now: a title or slug, host, name, URL or email address. Omitted once it is " +
            "deleted, except for links, and for what has no name",
        }),
      ),
    ),
    actor: shape({
      type: oneOf(ACTOR_TYPES, "`system`: periodic work, or the operator"),
      _id: nullable(id("Id of the user or key")),
      email: nullable(withExample("ada@example.com", Type.String())),
      accessToken: optional(
        shape(
          { _id: id(), name: withExample("Nightly sync", Type.String()) },
          { description: "The access token the user sent; omitted if they were signed in" },
        ),
      ),
    }),
    ip: nullable(withExample("203.0.113.9", Type.String())),
    userAgent: nullable(withExample("Mozilla/5.0 (X11; Linux x86_64)", Type.String())),
    changes: withExample(
      { title: { from: "Spring", to: "Spring sale" } },
      freeObject("Each changed field with its value `from` before and `to` after; never contains secrets"),
    ),
    createdAt: instant(),
  },
  { $id: "AuditLog" },
);
export type AuditLog = Static<typeof AuditLog>;

export const AuditLogPage = pageOf("auditLogs", AuditLog);
export type AuditLogPage = Static<typeof AuditLogPage>;
