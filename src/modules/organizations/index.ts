import type { Guard } from "@/http/access";
import { organizationRoutes } from "./routes";
import type { OrganizationService } from "./service";

export const organizationModule = ({ organizations }: { organizations: OrganizationService }, guard: Guard) =>
  organizationRoutes(organizations, guard);
