import type { Guard } from "@/http/access";
import { bioPageRoutes } from "./routes";
import { type BioPageServiceOptions, createBioPageService } from "./service";

export const bioPageModule = (parts: BioPageServiceOptions, guard: Guard) =>
  bioPageRoutes(createBioPageService(parts), guard);
