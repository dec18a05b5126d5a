import { Elysia } from "elysia";
import { Health } from "@/contract/health";
import type { access } from "@/http/access";
import type { Clock } from "@/platform/clock";

export interface HealthFacts extends Pick<Health, "cache" | "clicks"> {
  /** Whether a dependency is away. */
  isDegraded: boolean;
}

export interface HealthOptions {
  clock: Clock;
  /** Tells what is known already: nothing is asked for an answer. */
  facts(): HealthFacts;
  isSecure: boolean;
}

export const healthRoutes = ({ clock, facts, isSecure }: HealthOptions, guard: ReturnType<typeof access>) =>
  new Elysia({ tags: ["Service"] }).use(guard).get(
    "/health",
    (): Health => {
      const { isDegraded, cache, clicks } = facts();
      return {
        status: isDegraded ? "degraded" : "ok",
        time: new Date(clock()).toISOString(),
        security: {
          rateLimiting: true,
          twoFactor: true,
          sso: true,
          tls: isSecure,
          headers: true,
        },
        cache,
        clicks,
      };
    },
    {
      public: true,
      response: { 200: Health },
      detail: {
        operationId: "getHealth",
        summary: "Get the service's health",
        description:
          "Answers 200 while the service runs. `degraded` says that something it depends on is away, or lags behind.",
      },
    },
  );
