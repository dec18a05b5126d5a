/** Who is signed in, the organization whose screens are open, and what they may do there. */
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { type Schemas, signIn } from "../api/client";
import { failureOf, Unreachable } from "../api/failures";

export type OrgRole = "viewer" | "member" | "admin" | "owner";

export type Org = Schemas["Organization"] & { role: OrgRole };

export interface Session {
  user: Schemas["User"];
  organizations: Org[];
  sharedDomain: string;
}

async function readSession(): Promise<Session> {
  const response = await fetch("/app/api/session").catch((cause: unknown) => {
    throw new Unreachable(undefined, { cause });
  });
  if (response.status === 401) return signIn();
  const body = await response.json().catch(() => undefined);
  if (!response.ok) throw failureOf(response, body);
  return body;
}

export const SESSION_KEY = ["session"];

/** Asked again when the window is looked at again: a session may end, and a role change, elsewhere. */
export const useSession = () => useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 30_000 });

export const OrgContext = createContext<Org | undefined>(undefined);

const RANKS: readonly OrgRole[] = ["viewer", "member", "admin", "owner"];

/** Within the organization's screens alone. */
export function useOrg(): Org & { may(least: OrgRole): boolean } {
  const org = useContext(OrgContext);
  if (!org) throw new Error("There is no organization here");
  return { ...org, may: (least) => RANKS.indexOf(org.role) >= RANKS.indexOf(least) };
}
