/** Returns to the dashboard who is signed in and what they may do in each organization, without the token. */
import type { Role } from "@/contract/accounts/access";
import type { User } from "@/contract/accounts/auth";
import type { Organization } from "@/contract/accounts/organizations";
import type { Membership, Principal } from "@/http/access";
import { isForShownUser } from "@/http/dashboard/session-api";
import { HttpError, unauthenticated } from "@/http/errors";
import { isCrossOrigin } from "@/http/same-origin";
import type { PasswordReset } from "@/modules/auth/password-reset/password-reset";
import type { AuthService } from "@/modules/auth/service";
import type { Pages } from "./pages";
import { PATHS } from "./paths";

export interface DashboardSession {
  user: User;
  /** The organizations that the session reaches. */
  organizations: (Organization & { role: Role })[];
  /** The organizations that require single sign-on, which this session did not come from, and where it starts. */
  ssoOrganizations: (Pick<Organization, "name" | "slug"> & { startUrl: string })[];
  /** The host of short links that have no domain of their own. */
  sharedDomain: string;
  /** Whether the service can mail a link that resets a password. */
  sendsMail: boolean;
}

export interface SessionParts {
  pages: Pages;
  auth: Pick<AuthService, "me">;
  passwordReset: Pick<PasswordReset, "sendsMail">;
  principals: { member(user: Principal, orgId: string): Promise<Membership> };
  config: { baseUrl: string; shortDomain: string; isProduction: boolean };
}

export const createSessionPage = ({ pages, auth, passwordReset, principals, config }: SessionParts) =>
  async function session(request: Request): Promise<DashboardSession> {
    if (isCrossOrigin(request)) throw new HttpError(403, "Only pages of the dashboard may call this");
    const signedIn = await pages.sessionOf(request);
    if (!signedIn || !isForShownUser(request, signedIn.userId)) throw unauthenticated();
    const { user, organizations } = await auth.me(signedIn);
    const joined = await Promise.all(
      organizations.map(async (organization) => {
        const role = await principals.member(signedIn, organization._id).then(({ role }) => role, whyUnreachable);
        return { organization, role };
      }),
    );
    return {
      user,
      organizations: joined.flatMap(({ organization, role }) =>
        role === "left" || role === "needs_sso" ? [] : [{ ...organization, role }],
      ),
      ssoOrganizations: joined.flatMap(({ organization: { name, slug }, role }) =>
        role === "needs_sso" ? [{ name, slug, startUrl: startUrlOf(config.baseUrl, slug) }] : [],
      ),
      sharedDomain: config.shortDomain,
      sendsMail: passwordReset.sendsMail,
    };
  };

function whyUnreachable(error: unknown): "left" | "needs_sso" {
  if (!(error instanceof HttpError) || error.status >= 500) throw error;
  return error.status === 403 ? "needs_sso" : "left";
}

/** Returns a URL on the service's own host, where single sign-on ends in the session's cookie. */
function startUrlOf(baseUrl: string, slug: string): string {
  const query = new URLSearchParams({ orgSlug: slug, returnTo: `${PATHS.organization}/${slug}` });
  return `${baseUrl}/api/v1/auth/sso/start?${query}`;
}
