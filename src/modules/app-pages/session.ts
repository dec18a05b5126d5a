/** Returns to the dashboard who is signed in and what they may do in each organization, without the token. */

import type { Role } from "@/contract/accounts/access";
import type { User } from "@/contract/accounts/auth";
import type { Organization } from "@/contract/accounts/organizations";
import type { Membership, Principal } from "@/http/access";
import { HttpError, unauthenticated } from "@/http/errors";
import { isCrossOrigin } from "@/http/same-origin";
import type { AuthService } from "@/modules/auth/service";
import type { Pages } from "./pages";

export interface DashboardSession {
  user: User;
  /** The organizations that the session reaches; those that require another kind of session are left out. */
  organizations: (Organization & { role: Role })[];
  /** The host of short links that have no domain of their own. */
  sharedDomain: string;
}

export interface SessionParts {
  pages: Pages;
  auth: Pick<AuthService, "me">;
  principals: { member(user: Principal, orgId: string): Promise<Membership> };
  config: { shortDomain: string; isProduction: boolean };
}

export const createSessionPage = ({ pages, auth, principals, config }: SessionParts) =>
  async function session(request: Request): Promise<DashboardSession> {
    if (isCrossOrigin(request)) throw new HttpError(403, "Only pages of the dashboard may call this");
    const signedIn = await pages.sessionOf(request);
    if (!signedIn) throw unauthenticated();
    const { user, organizations } = await auth.me(signedIn);
    const reached = await Promise.all(
      organizations.map(async (organization) => {
        const role = await principals.member(signedIn, organization._id).then(({ role }) => role, unreachable);
        return role ? [{ ...organization, role }] : [];
      }),
    );
    return { user, organizations: reached.flat(), sharedDomain: config.shortDomain };
  };

function unreachable(error: unknown): undefined {
  if (error instanceof HttpError && error.status < 500) return undefined;
  throw error;
}
