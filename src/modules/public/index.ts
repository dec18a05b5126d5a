import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import type { Db } from "@/platform/db/tx";
import type { HostDirectory } from "@/platform/hosts/hosts";
import { dashboardBrandingRoutes } from "./dashboard-branding";
import { publicRoutes, type ResolveLink } from "./routes";

export interface PublicParts {
  db: Db;
  hosts: HostDirectory;
  resolveLink: ResolveLink;
}

export const publicModule = ({ db, hosts, resolveLink }: PublicParts, guard: Guard) =>
  new Elysia().use(publicRoutes(resolveLink, guard)).use(dashboardBrandingRoutes(db, hosts, guard));
