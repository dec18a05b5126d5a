import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import { apiKeyQrRoutes, organizationQrRoutes } from "./routes";
import { createQrService, type QrOptions } from "./service";

export function qrModule(parts: QrOptions, guard: Guard) {
  const qr = createQrService(parts);
  return new Elysia().use(apiKeyQrRoutes(qr, guard)).use(organizationQrRoutes(qr, guard));
}
