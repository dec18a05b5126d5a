import type { Guard } from "@/http/access";
import { privacyRoutes } from "./routes";
import { createPrivacyService, type PrivacyOptions } from "./service";

export const privacyModule = (parts: PrivacyOptions, guard: Guard) => privacyRoutes(createPrivacyService(parts), guard);
