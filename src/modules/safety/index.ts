import type { Guard } from "@/http/access";
import type { Limits } from "@/platform/limits/limits";
import { safetyRoutes } from "./routes";
import { createSafetyService, type SafetyChecker } from "./service";

export interface SafetyParts {
  safety: Pick<SafetyChecker, "check">;
  limits: Limits;
}

export const safetyModule = ({ safety, limits }: SafetyParts, guard: Guard) =>
  safetyRoutes(createSafetyService({ checker: safety, limits }), guard);
