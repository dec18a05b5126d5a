/**
 * Whether the time of an answer tells of an account: a wrong password, an unknown email and an account without a password,
 * and a forgotten password of someone and of nobody; each kind in turn with the others, medians over many tries. Each try
 * has an address and an account of its own, so that no limit answers in its place.
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
  /** Medians. */
  knownMs: number;
  unknownMs: number;
  /** Of an account that has no password. */
  bareMs: number;
  /** The largest difference between two of them, and in percent of the smallest. */
  gapMs: number;
  gapPercent: number;
  /** All answers of all kinds; more than one tells them apart. */
  answers: string[];
}

/** Lets what goes on behind an answer end before the next one is asked for. */
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

/** All of one password, which costs one hash. */
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
    // Beginning with each kind as often as with the others.
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

/** An answer within a millisecond has no percent to tell apart: the network's own jitter is larger than `GAP_MS_MAX`. */
export const isAlike = ({ gapMs, gapPercent, answers }: TimingReport): boolean =>
  answers.length === 1 && (gapPercent < GAP_PERCENT_MAX || gapMs < GAP_MS_MAX);

if (import.meta.main) {
  const [tries = "300"] = Bun.argv.slice(2);
  const reports = await signInTiming({ tries: Number(tries) });
  console.table(reports);
  await endRun();
  process.exit(reports.every(isAlike) ? 0 : 1);
}
