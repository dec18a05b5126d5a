/**
 * Checks whether the time of a response reveals if an account exists: for a wrong password, an unknown email and an
 * account without a password, and for password resets of a known and an unknown email. The kinds alternate, and
 * medians over many attempts are compared. Each attempt has its own address and account, so that no limit responds
 * instead.
 *
 *   bun test/fault/sign-ins/sign-in-timing.ts [tries]
 */
import { endRun } from "@test/support/end-of-run";
import { startSmtp } from "@test/support/servers/smtp";
import type { Sql } from "postgres";
import { hashPassword } from "@/platform/passwords/passwords";
import { type Api, startSignInService } from "./sign-in-service";

export interface TimingReport {
  asked: string;
  tries: number;
  /** Median times of each kind. */
  knownMs: number;
  unknownMs: number;
  /** The median for accounts without a password. */
  bareMs: number;
  /** The largest difference between two medians, in milliseconds and as a percentage of the smallest. */
  gapMs: number;
  gapPercent: number;
  /** All different responses; more than one would distinguish the kinds. */
  answers: string[];
}

/** Milliseconds for work that goes on after a response to end before the next request. */
const PAUSE_MS = 10;
const GAP_PERCENT_MAX = 5;
const GAP_MS_MAX = 0.1;
const KINDS = ["known", "unknown", "bare"] as const;
type Kind = (typeof KINDS)[number];

const emailOf = (kind: Kind, number: number) => `${kind}${number}@example.com`;

export async function signInTiming({ tries = 300 }: { tries?: number } = {}): Promise<TimingReport[]> {
  await using stack = new AsyncDisposableStack();
  const smtp = await startSmtp();
  stack.defer(() => smtp.stop());
  const { api, sql } = await startSignInService(stack, { SMTP_URL: smtp.url, MAIL_FROM: "no-reply@acme.dev" });
  await makeAccounts(sql, tries);
  const login = (email: string) => ({ path: "/api/v1/auth/login", body: { email, password: "a wrong passphrase" } });
  const forgot = (email: string) => ({ path: "/api/v1/auth/password/forgot", body: { email } });
  return [await compare(api, "login", tries, login), await compare(api, "forgot", tries, forgot)];
}

/** Creates the accounts, all with the same password, so that only one hash is needed. */
async function makeAccounts(sql: Sql, count: number): Promise<void> {
  const hash = await hashPassword(crypto.randomUUID(), { purpose: "registration", asker: "test" });
  const rows = Array.from({ length: count }, (_, number) =>
    (["known", "bare"] as const).map((kind) => ({
      id: Bun.randomUUIDv7(),
      email: emailOf(kind, number),
      name: "Ada",
      password_hash: kind === "known" ? hash : null,
    })),
  );
  await sql`insert into users ${sql(rows.flat())}`;
}

async function compare(
  api: Api,
  asked: string,
  tries: number,
  ask: (email: string) => { path: string; body: object },
): Promise<TimingReport> {
  const times: Record<Kind, number[]> = { known: [], unknown: [], bare: [] };
  const answers = new Set<string>();
  for (let number = 0; number < tries; number++) {
    // Each kind comes first equally often.
    for (let turn = 0; turn < KINDS.length; turn++) {
      const kind = KINDS[(number + turn) % KINDS.length] ?? "known";
      const { path, body } = ask(emailOf(kind, number));
      const startedAt = performance.now();
      const reply = await api.call("POST", path, { body });
      times[kind].push(performance.now() - startedAt);
      answers.add(`${reply.status} ${JSON.stringify(reply.body)}`);
      await Bun.sleep(PAUSE_MS);
    }
  }
  const [knownMs, unknownMs, bareMs] = [median(times.known), median(times.unknown), median(times.bare)];
  const smallest = Math.min(knownMs, unknownMs, bareMs);
  const gap = Math.max(knownMs, unknownMs, bareMs) - smallest;
  return {
    asked,
    tries,
    knownMs,
    unknownMs,
    bareMs,
    gapMs: round(gap),
    gapPercent: round((100 * gap) / smallest),
    answers: [...answers],
  };
}

const round = (number: number) => Math.round(number * 100) / 100;
const median = (times: number[]): number => round(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0);

/** Below `GAP_MS_MAX`, the gap in percent does not matter: the network's own jitter is larger. */
export const isAlike = ({ gapMs, gapPercent, answers }: TimingReport): boolean =>
  answers.length === 1 && (gapPercent < GAP_PERCENT_MAX || gapMs < GAP_MS_MAX);

if (import.meta.main) {
  const [tries = "300"] = Bun.argv.slice(2);
  const reports = await signInTiming({ tries: Number(tries) });
  console.table(reports);
  await endRun();
  process.exit(reports.every(isAlike) ? 0 : 1);
}
