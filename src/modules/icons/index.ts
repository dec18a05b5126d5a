import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import { createCardService } from "./cards";
import type { FetchedOptions } from "./fetched";
import { createPageImageService } from "./page-images";
import {
  cardImageRoute,
  type FaviconParts,
  faviconRoute,
  iconRoutes,
  pageImageRoute,
  visitorIconRoutes,
} from "./routes";
import { createIconService } from "./service";

export function iconModule(parts: FetchedOptions & FaviconParts, guard: Guard) {
  const icons = createIconService(parts);
  return new Elysia()
    .use(iconRoutes(icons, guard))
    .use(visitorIconRoutes(icons, guard))
    .use(cardImageRoute(createCardService(parts), guard))
    .use(pageImageRoute(createPageImageService(parts), guard))
    .use(faviconRoute(icons, parts, guard));
}
