/**
 * Serves health checks of platforms and monitors. A check queries no dependency: it reports what the process already
 * knows.
 */
import { Elysia } from "elysia";
import { Health, Ready } from "@/contract/health";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { HttpError } from "@/http/errors";
import type { Clock } from "@/platform/clock";

export interface HealthOptions {
  clock: Clock;
  /** Current faults, in a few words each; empty if all is well. */
  faults(): string[];
  isSecure: boolean;
  /** Aborted when the service begins to stop or to hand over. */
  ending: AbortSignal;
}

const NOT_READY = "The service is not ready";

export const healthRoutes = ({ clock, faults, isSecure, ending }: HealthOptions, guard: Guard) =>
  new Elysia({ tags: ["Service"] })
    .use(guard)
    .get(
      "/health",
      (): Health => ({
        status: faults().length > 0 ? "degraded" : "ok",
        time: new Date(clock()).toISOString(),
        security: { rateLimiting: true, twoFactor: true, sso: true, tls: isSecure, headers: true },
      }),
      {
        public: true,
        response: { 200: Health },
        detail: {
          operationId: "getHealth",
          summary: "Get the service's health",
          description:
            "Returns 200 as long as redirects work, so that nothing restarts a service that a restart cannot help. `degraded` " +
            "means that a dependency is unavailable or lagging.",
        },
      },
    )
    .get(
      "/ready",
      (): Ready => {
        const reasons = ending.aborted ? ["the service is shutting down", ...faults()] : faults();
        if (reasons.length > 0) throw new HttpError(503, NOT_READY, reasons, { "retry-after": "1" });
        return { ready: true };
      },
      {
        public: true,
        response: { 200: Ready, ...failures(503) },
        detail: {
          operationId: "getReadiness",
          summary: "Get the service's readiness",
          description:
            "Returns 503 with reasons while the service is degraded or shutting down. Use it for deployments that wait for " +
            "the next server, and for load balancers that can send visitors elsewhere; redirects keep working while a " +
            "dependency is unavailable.",
        },
      },
    );
