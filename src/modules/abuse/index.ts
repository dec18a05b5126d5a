import type { Guard } from "@/http/access";
import { abuseRoutes } from "./routes";
import { type AbuseOptions, createAbuseService } from "./service";

export const abuseModule = (parts: AbuseOptions, guard: Guard) => abuseRoutes(createAbuseService(parts), guard);
