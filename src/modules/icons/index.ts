import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import type { HostDirectory } from "@/platform/hosts/hosts";
import { faviconRoute, iconRoutes, visitorIconRoutes } from "./routes";
import { createIconService, type IconOptions } from "./service";

export function iconModule(parts: IconOptions & { hosts: HostDirectory }, guard: Guard) {
  const icons = createIconService(parts);
  return new Elysia()
    .use(iconRoutes(icons, guard))
    .use(visitorIconRoutes(icons, guard))
    .use(faviconRoute(icons, parts.hosts, guard));
}
