/**
 * The dashboards where a sign-in may end: the service's own pages, which receive a cookie, and those on other hosts,
 * which receive a code. A customer's host is a dashboard only for members of that customer's organization, because
 * whoever runs the host gets their sessions.
 */
import type { HostDirectory } from "@/platform/hosts/hosts";

export interface Dashboards {
  /** The origin that serves the service's own pages. */
  own: string;
  /** Where to send a browser whose sign-in can no longer be identified. */
  main: string;
  /**
   * Returns the origin of the dashboard on this host; undefined for the service's own and for a host that is no
   * dashboard.
   */
  at(host: string): string | undefined;
  /** Reports whether this origin is a dashboard on another host for members of this organization. */
  isOf(dashboard: string, orgId: string): boolean;
}

export interface DashboardsOptions {
  baseUrl: string;
  dashboardUrl: string;
  hosts: HostDirectory;
}

export function createDashboards({ baseUrl, dashboardUrl, hosts }: DashboardsOptions): Dashboards {
  const isElsewhere = dashboardUrl !== baseUrl;
  const hostOf = (origin: string) => new URL(origin).host;
  return {
    own: baseUrl,
    main: dashboardUrl,
    at(host) {
      const asked = host.toLowerCase();
      if (asked === hostOf(baseUrl)) return undefined;
      if (isElsewhere && asked === hostOf(dashboardUrl)) return dashboardUrl;
      const found = hosts.of(asked);
      return found?.isDashboard ? `https://${found.hostname}` : undefined;
    },
    isOf(dashboard, orgId) {
      if (isElsewhere && dashboard === dashboardUrl) return true;
      const [, hostname = ""] = /^https:\/\/([a-z0-9.-]+)$/.exec(dashboard) ?? [];
      const found = hosts.of(hostname);
      return found?.isDashboard === true && found.hostname === hostname && found.orgId === orgId;
    },
  };
}
