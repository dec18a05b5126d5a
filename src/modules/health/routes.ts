import { Elysia } from "elysia";
import { Health } from "@/contract/health";
import type { access } from "@/http/access";
import type { Clock } from "@/platform/clock";

/** Answers within this, whatever the dependencies do. */
const CHECK_TIMEOUT_MS = 500;

export interface HealthOptions {
  clock: Clock;
  /** Whether each dependency answers. */
  checks: (() => Promise<boolean>)[];
  isSecure: boolean;
}

export const healthRoutes = ({ clock, checks, isSecure }: HealthOptions, guard: ReturnType<typeof access>) =>
  new Elysia({ tags: ["Service"] }).use(guard).get(
    "/health",
    async (): Promise<Health> => ({
      status: (await allAnswer(checks)) ? "ok" : "degraded",
      time: new Date(clock()).toISOString(),
      security: {
        rateLimiting: false,
        twoFactor: false,
        sso: false,
        tls: isSecure,
        headers: true,
      },
    }),
    {
      public: true,
      response: { 200: Health },
      detail: {
        operationId: "getHealth",
        summary: "Whether the service and what it depends on are there",
      },
    },
  );

async function allAnswer(checks: (() => Promise<boolean>)[]): Promise<boolean> {
  const answers = await Promise.all(checks.map((check) => Promise.race([check().catch(() => false), timeout()])));
  return answers.every(Boolean);
}

const timeout = () => Bun.sleep(CHECK_TIMEOUT_MS).then(() => false);
