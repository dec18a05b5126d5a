/** The signed-in user, the current organization, and what the user may do in it. */
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { type Schemas, SESSION_URL, signIn } from "../api/client";
import { failureOf, Unreachable } from "../api/failures";
import { noteUser, shownUserHeader } from "../api/shown-user";

export type OrgRole = "viewer" | "member" | "admin" | "owner";

export type Org = Schemas["Organization"] & { role: OrgRole };

export interface SsoOrganization {
  name: string;
  slug: string;
  startUrl: string;
}

export interface Session {
  user: Schemas["User"];
  organizations: Org[];
  /**
   * Those that the session does not reach, because it did not come from their single sign-on. Omitted by a server of an
   * earlier version.
   */
  ssoOrganizations?: SsoOrganization[];
  sharedDomain: string;
  /** Whether the service sends mail. Omitted by a server of an earlier version. */
  sendsMail?: boolean;
}

async function readSession(): Promise<Session> {
  const response = await fetch(SESSION_URL, { headers: shownUserHeader() }).catch((cause: unknown) => {
    throw new Unreachable(undefined, { cause });
  });
  if (response.status === 401) return signIn();
  const body = await response.json().catch(() => undefined);
  if (!response.ok) throw await failureOf(response, body);
  noteUser(body.user);
  return body;
}

export const SESSION_KEY = ["session"];

/** Refetched when the window regains focus, because a session may end or a role change elsewhere. */
export const useSession = () => useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 30_000 });

export const OrgContext = createContext<Org | undefined>(undefined);

const RANKS: readonly OrgRole[] = ["viewer", "member", "admin", "owner"];

/** Throws outside the screens of an organization. */
export function useOrg(): Org & { may(least: OrgRole): boolean } {
  const org = useContext(OrgContext);
  if (!org) throw new Error("There is no organization here");
  return { ...org, may: (least) => RANKS.indexOf(org.role) >= RANKS.indexOf(least) };
}
