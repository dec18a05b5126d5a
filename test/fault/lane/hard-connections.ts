/**
 * Thousands of concurrent connections, most of them of visitors that behave like no browser (`hard-visitor.ts`),
 * while well-behaved ones come and go. First the hard ones all stay until the server closes their connections, then
 * its worker is replaced, then it is stopped, each time with such a crowd connected. Well-behaved visitors notice
 * nothing, every acknowledged click is counted once, and no connection stays open.
 *
 *   bun test/fault/lane/hard-connections.ts [connections]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { scrape } from "@test/support/scrape";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { ServiceProcess } from "@test/support/service-process";
import { linkWithClickIds } from "../clicks/kill-service";
import { compareOnceApplied } from "../compare";
import { sendVisitors, type Visits } from "../servers/strict-visitors";
import { HardVisitor, KINDS, type Kind, type Place } from "./hard-visitor";
import { countSockets, residentMb } from "./open-sockets";

export interface HardConnectionsOptions {
  connections: number;
  /**
   * Whether to wait until the server closes the connections of visitors who stay, which takes minutes, and to replace
   * the worker. If false, they leave, and none of them delays the end of the service.
   */
  isPatient: boolean;
}

export interface HardConnectionsReport {
  connections: number;
  /** Visits that the lane answered itself before the worker was replaced. */
  inLane: number;
  /** Unexpected outcomes, by kind. */
  wrong: Record<string, number>;
  /** Failed requests of well-behaved visitors. */
  failed: number;
  why: string;
  refused: number;
  acknowledged: number;
  lost: number;
  countedTwice: number;
  /** Connections of the service, including tunnels, that were open after everyone had left. */
  leftOpen: number;
  /** Memory before the first crowd, during it, and after each crowd, until one needed no more than the earlier ones. */
  memoryMb: { before: number; crowded: number; after: number[] };
  /** Milliseconds from the signal to the end of the process that received it or was replaced. */
  replacedMs: number;
  endedMs: number;
}

const VISITORS_OF_A_KIND = 4;
const VISIT_EVERY_MS = 25;
/**
 * Longer than the server behind the lane takes to close a silent connection, plus the lane to close one that reads
 * nothing.
 */
const STAY_MS_MAX = 150_000;
const ANSWER_MS_MAX = 60_000;
const GONE_MS_MAX = 30_000;
const LOOK_EVERY_MS = 50;
const WAYS_MAX = 3;
const CROWDS_MAX = 8;
/** Megabytes that a crowd may need beyond the maximum of those before it. */
const ANOTHER_MB_MAX = 25;

export async function hardConnections(options: HardConnectionsOptions): Promise<HardConnectionsReport> {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-hard-"));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = await createDatabase();
  stack.defer(() => database.drop());
  const port = await takePort();
  const settings = { dataDir, databaseUrl: database.url, port, env: { WORKERS: "1", FAST_LANE: "on" } };
  const service = new ServiceProcess(settings);
  stack.defer(async () => void (service.process.exitCode === null && (await service.end("SIGKILL"))));
  await service.until("worker ready");
  const scene = new Scene(
    service,
    { port, slug: await linkWithClickIds(database.sql) },
    new URL(database.url),
    options,
  );
  await scene.warmUp();
  const crowded = await scene.crowd();
  const replacedMs = options.isPatient ? await scene.replace() : 0;
  const endedMs = await scene.end();
  const { wrong, visits, hardClicks, leftOpen } = scene;
  const acknowledged = [...hardClicks, ...visits.flatMap((each) => each.acknowledged)];
  const compared = await compareOnceApplied(database.sql, acknowledged, async () => [new ServiceProcess(settings)]);
  const { lost, countedTwice } = compared;
  return {
    ...{ connections: options.connections, ...crowded, wrong, ...tally(visits) },
    ...{ acknowledged: acknowledged.length, lost, countedTwice, leftOpen, replacedMs, endedMs },
  };
}

function tally(visits: readonly Visits[]) {
  const failed = visits.flatMap((each) => each.failed);
  return {
    failed: failed.length,
    why: [...new Set(failed.map(({ why }) => why))].slice(0, WAYS_MAX).join("; "),
    refused: visits.reduce((sum, { refused }) => sum + refused, 0),
  };
}

interface Guest {
  kind: string;
  visitor: HardVisitor;
}

class Scene {
  readonly wrong: Record<string, number> = {};
  readonly visits: Visits[] = [];
  readonly hardClicks: string[] = [];
  leftOpen = 0;

  constructor(
    private readonly service: ServiceProcess,
    private readonly place: Place,
    private readonly database: URL,
    private readonly options: HardConnectionsOptions,
  ) {}

  /**
   * Caches the link, because a visitor that does not wait for its response gets none from the server behind while
   * that asks a database.
   */
  async warmUp(): Promise<void> {
    const { port, slug } = this.place;
    await fetch(`http://localhost:${port}/${slug}`, { redirect: "manual", keepalive: false });
    await this.#leave(await this.#connectVisitors(Object.keys(KINDS).length));
  }

  /** Connects everyone, half of them silent. If patient, waits until the server has closed their connections. */
  async crowd() {
    const pid = this.#pid();
    const { isPatient } = this.options;
    const before = await residentMb(pid);
    const well = this.#startGoodVisitors();
    const guests = await this.#comeAll();
    const crowded = await residentMb(pid);
    if (isPatient) {
      await this.#judge(guests);
      await well();
      this.#countWrong("not ended by the server", await this.#untilEmpty(pid, STAY_MS_MAX));
    }
    await this.#leave(guests);
    await well();
    this.leftOpen += await this.#untilEmpty(pid);
    const inLane = (await scrape(`http://localhost:${this.place.port}`))("waymark_lane_visits_total");
    const after = [await residentMb(pid)];
    for (let crowds = 1; isPatient && crowds < CROWDS_MAX && !isSettled(after); crowds++) {
      await this.#leave(await this.#comeAll());
      this.leftOpen += await this.#untilEmpty(pid);
      after.push(await residentMb(pid));
    }
    return { inLane, memoryMb: { before, crowded, after } };
  }

  /** Replaces the worker while a crowd is connected. */
  async replace(): Promise<number> {
    const pid = this.#pid();
    const well = this.#startGoodVisitors();
    const guests = await this.#connectVisitors(this.options.connections / 4);
    const startedAt = performance.now();
    this.service.process.kill("SIGHUP");
    await this.service.until("rolling restart finished");
    this.#countWrong("not ended by the worker that was replaced", await this.#untilEmpty(pid));
    const replacedMs = performance.now() - startedAt;
    await well();
    await this.#leave(guests);
    this.leftOpen += await this.#untilEmpty(this.#pid());
    return Math.round(replacedMs);
  }

  /**
   * Stops the service while a crowd is connected. Well-behaved visitors come until then, and may be refused
   * afterwards.
   */
  async end(): Promise<number> {
    const well = this.#startGoodVisitors();
    const isAny = this.options.isPatient;
    const guests = await this.#connectVisitors(this.options.connections / 4, ({ isUnderWay }) => isAny || !isUnderWay);
    const startedAt = performance.now();
    const code = await this.service.end();
    const endedMs = performance.now() - startedAt;
    if (code !== 0) throw new Error(`The service ended with ${code}: ${this.service.errorOutput}`);
    await well({ isRefused: true });
    await this.#leave(guests);
    return Math.round(endedMs);
  }

  /** Starts visits of well-behaved visitors. Returns a function that stops them. */
  #startGoodVisitors(): (how?: { isRefused: boolean }) => Promise<void> {
    const { port, slug } = this.place;
    const well = sendVisitors({ port, slug, visitors: VISITORS_OF_A_KIND, pauseMs: VISIT_EVERY_MS });
    let isOver = false;
    return async ({ isRefused } = { isRefused: false }) => {
      await well.stop();
      if (!isOver) this.visits.push(isRefused ? { ...well.visits, refused: 0 } : well.visits);
      isOver = true;
    };
  }

  async #comeAll(): Promise<Guest[]> {
    const half = this.options.connections / 2;
    const silent = await this.#open(Array.from({ length: half }, () => "silent"));
    return [...silent, ...(await this.#connectVisitors(half))];
  }

  /** Connects that many visitors, of all kinds in turn. */
  #connectVisitors(count: number, isWanted: (kind: Kind) => boolean = () => true): Promise<Guest[]> {
    const kinds = Object.keys(KINDS).filter((name) => isWanted(KINDS[name] ?? { begin: () => undefined }));
    return this.#open(Array.from({ length: count }, (_, index) => kinds[index % kinds.length] ?? "silent"));
  }

  #open(kinds: readonly string[]): Promise<Guest[]> {
    return Promise.all(
      kinds.map(async (kind) => {
        const visitor = await new HardVisitor(this.place.port).connected();
        await KINDS[kind]?.begin(visitor, this.place);
        return { kind, visitor };
      }),
    );
  }

  async #judge(guests: readonly Guest[]): Promise<void> {
    await Promise.all(
      guests.map(async ({ kind, visitor }) => {
        const { isRight, isDeaf } = KINDS[kind] ?? {};
        if (isDeaf) return;
        const ended = visitor.closed.then(() => visitor.wasEnded);
        const judged = isRight ? isRight(visitor) : ended;
        const late = Bun.sleep(isRight ? ANSWER_MS_MAX : STAY_MS_MAX).then(() => false);
        if (!(await Promise.race([judged, late]))) this.#countWrong(kind);
      }),
    );
  }

  /** Checks those kinds of visitors that have their own check of what they received, and disconnects all. */
  async #leave(guests: readonly Guest[]): Promise<void> {
    await this.#judge(guests.filter(({ kind }) => KINDS[kind]?.isRight));
    for (const { visitor } of guests) {
      if (visitor.clickId) this.hardClicks.push(visitor.clickId);
      visitor.leave();
    }
  }

  /** Waits until no connection is open and returns how many still are when the time is over. */
  async #untilEmpty(pid: number, msMax = GONE_MS_MAX): Promise<number> {
    const giveUpAt = performance.now() + msMax;
    const count = () => countSockets(pid, Number(this.database.port));
    let open = await count();
    for (; open > 0 && performance.now() < giveUpAt; open = await count()) await Bun.sleep(LOOK_EVERY_MS);
    return open;
  }

  #countWrong(what: string, count = 1): void {
    if (count > 0) this.wrong[what] = (this.wrong[what] ?? 0) + count;
  }

  #pid(): number {
    const pid = this.service.pids().get(1);
    if (pid === undefined) throw new Error("There is one worker");
    return pid;
  }
}

/**
 * True if the last crowd needed no more memory than the earlier ones: what a crowd leaves stays until garbage is
 * collected.
 */
const isSettled = (after: readonly number[]): boolean =>
  after.length > 1 && Math.max(...after) <= Math.max(...after.slice(0, -1)) + ANOTHER_MB_MAX;

export const isUnmovedByCrowds = (report: HardConnectionsReport): boolean => {
  const { failed, refused, lost, countedTwice, leftOpen, acknowledged, inLane, wrong, memoryMb } = report;
  const isServed = acknowledged > 0 && inLane > 0 && failed + refused === 0 && Object.keys(wrong).length === 0;
  return isServed && isSettled(memoryMb.after) && lost + countedTwice + leftOpen === 0;
};

if (import.meta.main) {
  const report = await hardConnections({
    connections: Number(Bun.argv[2] ?? 5_000),
    isPatient: Bun.argv[3] !== "short",
  });
  console.log(report);
  await endRun();
  process.exit(isUnmovedByCrowds(report) ? 0 : 1);
}
