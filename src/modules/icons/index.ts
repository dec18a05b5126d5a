import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import { iconRoutes, visitorIconRoutes } from "./routes";
import { createIconService, type IconOptions } from "./service";

export function iconModule(parts: IconOptions, guard: Guard) {
  const icons = createIconService(parts);
  return new Elysia().use(iconRoutes(icons, guard)).use(visitorIconRoutes(icons, guard));
}
