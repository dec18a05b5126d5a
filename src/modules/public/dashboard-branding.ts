/** Serves the branding of the dashboard on a host, which its sign-in page requests before anyone has signed in. */
import { eq } from "drizzle-orm";
import { Elysia } from "elysia";
import { DashboardBranding, DashboardBrandingQuery } from "@/contract/public";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import type { HostDirectory } from "@/platform/hosts/hosts";
import { DEFAULT_ACCENT } from "@/platform/images/initial";

const OWN_BRANDING = { displayName: "Waymark", accentColor: DEFAULT_ACCENT };

export const dashboardBrandingRoutes = (db: Db, hosts: HostDirectory, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/public", tags: ["Public assets"] })
    .use(guard)
    .get("/dashboard-branding", ({ query }) => brandingOf(db, hosts, query.hostname), {
      public: true,
      query: DashboardBrandingQuery,
      response: { 200: DashboardBranding, ...failures(400, 503) },
      detail: {
        operationId: "getDashboardBranding",
        summary: "Get a dashboard host's branding",
        description: "Returns the service's own branding for any host that serves no organization's dashboard.",
      },
    });

async function brandingOf(db: Db, hosts: HostDirectory, hostname: string): Promise<DashboardBranding> {
  const host = hosts.of(URL.parse(`http://${hostname}`)?.hostname ?? "");
  const organization = host?.isDashboard ? await findOrganization(db, host.orgId) : undefined;
  if (!organization) return { enabled: false, branding: OWN_BRANDING };
  const { id, name, slug, branding } = organization;
  return { enabled: true, organization: { _id: id, name, slug, branding }, branding };
}

async function findOrganization(db: Db, id: string) {
  const { name, slug, branding } = organizations;
  const rows = await db
    .select({ id: organizations.id, name, slug, branding })
    .from(organizations)
    .where(eq(organizations.id, id))
    .limit(1);
  return rows[0];
}
