/**
 * The dashboards a sign-in may end at: the service's own pages, which get a cookie; and those on other hosts, which get a
 * code. A host of a customer's is a dashboard for members of that very organization alone: whoever runs it gets their
 * sessions.
 */
import type { HostDirectory } from "@/platform/hosts/hosts";

export interface Dashboards {
  /** The origin that serves the service's own pages. */
  own: string;
  /** Where a browser goes whose sign-in nobody knows any more. */
  main: string;
  /** The dashboard on this host, if it is one that is not the service's own; as the request named it. */
  at(host: string): string | undefined;
  /** Whether it is a dashboard on another host, for members of this organization. */
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
