import type { Guard } from "@/http/access";
import { eventRoutes } from "./routes";
import { createEventService, type EventOptions } from "./service";

export const eventModule = (parts: EventOptions, guard: Guard) => eventRoutes(createEventService(parts), guard);
