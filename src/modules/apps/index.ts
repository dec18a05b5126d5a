import type { Guard } from "@/http/access";
import { appRoutes } from "./routes";
import { type AppServiceOptions, createAppService } from "./service";

export const appModule = (parts: AppServiceOptions, guard: Guard) => appRoutes(createAppService(parts), guard);
