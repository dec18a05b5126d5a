import type { Guard } from "@/http/access";
import { planRoutes } from "./routes";
import type { Plans } from "./service";

export const planModule = ({ plans }: { plans: Pick<Plans, "usage"> }, guard: Guard) => planRoutes(plans, guard);
