import type { Guard } from "@/http/access";
import { apiKeyRoutes } from "./routes";
import type { ApiKeyService } from "./service";

export const apiKeyModule = ({ apiKeys }: { apiKeys: ApiKeyService }, guard: Guard) => apiKeyRoutes(apiKeys, guard);
