/** Sessions of the signed-in user. */
import { type Static, Type } from "@sinclair/typebox";
import { id, instant, optional, pageOf, shape, withExample } from "../schema";

export const Session = shape(
  {
    _id: id(),
    createdAt: instant(),
    lastUsedAt: optional(instant("Updated at most once a minute; omitted if never used")),
    expiresAt: withExample("2026-02-01T00:00:00.000Z", instant()),
    ip: optional(withExample("203.0.113.7", Type.String({ description: "Where the session was opened from" }))),
    userAgent: optional(withExample("Mozilla/5.0", Type.String({ description: "The client that opened the session" }))),
    browser: optional(withExample("Firefox", Type.String({ description: "As detected from `userAgent`, like `os`" }))),
    os: optional(withExample("Windows", Type.String())),
    ssoOrgId: optional(id("The organization whose single sign-on opened the session")),
    isCurrent: Type.Boolean({ description: "True for the calling session" }),
  },
  { $id: "Session" },
);
export type Session = Static<typeof Session>;

export const SessionPage = pageOf("sessions", Session);
