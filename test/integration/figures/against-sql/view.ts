/** How a test asks for figures, and where they differ from plain SQL. */
import type { Account, TestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { PlainSql } from "./plain-sql";

export class Refused extends Error {
  constructor(
    readonly path: string,
    readonly status: number,
    readonly details: readonly string[] = [],
  ) {
    super(`${path} was answered ${status}: ${details}`);
  }
}

/** Sketches are exact up to 1,536 visitors; six standard errors beyond. */
const EXACT_MAX = 1_536;
const SKETCH_ERROR = 0.05;

export interface View {
  /** Throws `Refused` for what is not 200. */
  call<Body>(path: string): Promise<Body>;
  sql: PlainSql;
  now: number;
}

export class Differences {
  readonly found: string[] = [];
  compared = 0;
  constructor(readonly where: string) {}

  exact(what: string, shown: unknown, counted: unknown): void {
    this.compared++;
    const [one, other] = [JSON.stringify(shown), JSON.stringify(counted)];
    if (one !== other) this.found.push(`${this.where}: ${what} is ${one}, but there are ${other}`);
  }

  visitors(what: string, shown: number | undefined, counted: number): void {
    const isRight = Math.abs((shown ?? 0) - counted) <= SKETCH_ERROR * counted;
    this.exact(what, counted > EXACT_MAX && isRight ? counted : shown, counted);
  }

  /** The order of equal counts is left open. */
  list(
    what: string,
    shown: readonly { value: string; count: number }[],
    counted: ReadonlyMap<string, number>,
    max: number,
  ) {
    const greatest = [...counted.values()].sort((a, b) => b - a).slice(0, max);
    this.exact(
      `${what}, counts`,
      shown.map(({ count }) => count),
      greatest,
    );
    for (const { value, count } of shown) this.exact(`${what}, ${value}`, count, counted.get(value) ?? 0);
    this.exact(`${what}, names`, new Set(shown.map(({ value }) => value)).size, shown.length);
  }
}

/** Returns a client that repeats what a busy machine did not do (503). */
export function patient(service: TestService): TestService {
  const call: TestService["call"] = async (...asked) => {
    let reply = await service.call<never>(...asked);
    await until(async () => {
      if (reply.status === 503) reply = await service.call<never>(...asked);
      return reply.status !== 503;
    });
    return reply;
  };
  return { ...service, call };
}

export function viewOf({ call }: TestService, { orgId, token }: Account, sql: PlainSql, now: number): View {
  return {
    ...{ sql, now },
    async call<Body>(path: string) {
      const figures = `/api/v1/organizations/${orgId}/analytics/${path}`;
      const { status, body } = await call<Body & { details?: string[] }>("GET", figures, { token });
      if (status !== 200) throw new Refused(path, status, body.details);
      return body;
    },
  };
}
