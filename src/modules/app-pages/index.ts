import type { Guard } from "@/http/access";
import { type AppPagesParts, appPageRoutes } from "./routes";

export const appPageModule = (parts: AppPagesParts, guard: Guard) => appPageRoutes(parts, guard);
