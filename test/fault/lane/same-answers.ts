/**
 * Sends the same bytes to two services with the same links, one with the lane and one without: the responses are the
 * same, and so are the clicks.
 *
 *   bun test/fault/lane/same-answers.ts [requests] [seed]
 *
 * Most conversations wait for each response, and the responses are compared byte for byte. Conversations that differ
 * are repeated more slowly, because a server may or may not read what is written to it while it closes a connection.
 * If a request arrives before the previous one has its response, `Bun.serve` responds to both or to neither,
 * depending on timing. In that case, the lane's responses must equal those of the other service to the same requests
 * sent one by one, in the same order; they may be fewer only if the lane closes the connection.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { scrape } from "@test/support/scrape";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import fc from "fast-check";
import type { Sql } from "postgres";
import type { LinkInput } from "@/contract/links/links";
import { exchange, type Pace, type ServerOutput, type Side, splitResponses } from "./exchange";
import { foreignPart } from "./foreign";
import { CLIENT_HEADER, fillRequest, HOST, lastPart, MARK, oddPart, PAGE, type Part, soundPart } from "./requests";
import { smuggledParts } from "./smuggling";

export interface SameAnswersOptions {
  requests: number;
  seed: number;
}

export interface SameAnswersReport {
  requests: number;
  conversations: number;
  /** Visits that the lane answered itself. */
  inLane: number;
  pipelined: number;
  /** Conversations that were repeated more slowly. */
  again: number;
  /** Conversations whose responses still differed in the end; the first few are printed. */
  different: number;
  clicks: number;
  clicksDifferent: number;
}

interface Conversation {
  kind: "sound" | "odd" | "smuggled" | "pipelined";
  groups: Part[][];
  /** The same requests, sent one by one. */
  apart: Part[][];
}

const PACES: Pace[] = [
  { pauseMs: 0, waitMs: 250 },
  { pauseMs: 20, waitMs: 1_500 },
  { pauseMs: 100, waitMs: 5_000 },
];
/** The ways in which a conversation is tried until its responses are right. */
const triesOf = (kind: Conversation["kind"]): Pick<Exchange, "pace" | "isApart">[] => {
  const ways = { sound: [false], odd: [false], smuggled: [false, true], pipelined: [true] }[kind];
  return PACES.flatMap((pace) => ways.map((isApart) => ({ pace, isApart })));
};
const TRIES_MAX = PACES.length * 2;
const AT_ONCE = 96;
/** The number of a conversation's last request; all others are lower. */
const LAST = 99;
const BATCH = 200;
const APPLIED_MS_MAX = 120_000;
const LOOK_EVERY_MS = 50;
const WARM_UPS = 24;
const WARM_PACE: Pace = { pauseMs: 0, waitMs: 250 };
const WARM = "warm----";
const SHOWN_MAX = 5;
const SHOWN_LENGTH_MAX = 6_000;
/** Columns of a click that are unique to it or to its organization, or change with a reason of `OF_OTHERS`. */
const OWN = [
  ...["id", "occurred_at", "org_id", "link_id", "domain_id", "visitor", "link_version", "address_key"],
  ...["spam_score", "bot_reasons"],
];
/**
 * A sign of bots that depends on the clicks before it. The service without the lane has some more of these: it answers
 * what a visitor sends behind a request after which the lane closes the connection.
 */
const OF_OTHERS = "crowd";

const links: Record<string, Omit<LinkInput, "slug">> = {
  plain: { defaultUrl: "https://example.com/landing?a=b#end" },
  rules: {
    defaultUrl: "https://example.com/",
    rules: [
      { priority: 1, destinationUrl: "https://example.com/de", conditions: { languages: ["de"] } },
      { priority: 2, destinationUrl: "https://example.com/phone", conditions: { platform: ["ios"] } },
      { priority: 3, destinationUrl: "https://example.com/asked", conditions: { query: [{ name: "vip" }] } },
      { priority: 4, destinationUrl: "https://example.com/news", conditions: { referrers: ["news.example.com"] } },
    ],
  },
  random: {
    defaultUrl: "https://example.com/",
    splitTargets: [{ key: "all", destinationUrl: "https://example.com/all", weight: 1 }],
  },
  asks: { defaultUrl: "https://example.com/", password: "a secret" },
  ended: { defaultUrl: "https://example.com/", expiresAt: "2020-01-01" },
  shows: { defaultUrl: "https://example.com/", leadCapture: { enabled: true, fields: [] } },
  tagged: {
    defaultUrl: "https://example.com/?utm_medium=own",
    utm: { source: "lane", medium: "lane", campaign: "größe & mehr" },
    marketing: { referralCode: "r 1", couponCode: "c", appendToDestination: true },
  },
  places: {
    defaultUrl: "https://example.com/",
    rules: [
      { destinationUrl: "https://example.com/net", conditions: { addresses: ["110.0.0.0/7", "2001:db8::/32"] } },
      { destinationUrl: "https://example.com/near", conditions: { countries: ["US", "JP"], browsers: ["Chrome"] } },
      { destinationUrl: "https://example.com/far", conditions: { countries: ["CN", "DE", "GB"] } },
      {
        destinationUrl: "https://example.com/new",
        conditions: { minOsVersion: "18.4", after: "2020-01-01T00:00:00Z" },
      },
    ],
  },
  later: { defaultUrl: "https://example.com/", startsAt: "2020-01-01", expiresAt: "9999-12-31" },
  few: { defaultUrl: "https://example.com/", maxClicks: 10_000_000 },
  store: { defaultUrl: "https://play.google.com/store/apps/details?id=com.example.lane&referrer=a%3Db" },
  maß: { defaultUrl: "https://example.com/maß", title: "Äpfel 🍏", deepLinkPayload: { name: "größer".repeat(400) } },
};
/** A link of an organization that appends click ids. */
const TOLD: LinkInput = { slug: "told", defaultUrl: "https://example.com/?a=b#end" };

const numbered = <Value>(parts: ((index: number) => fc.Arbitrary<Value>)[]): fc.Arbitrary<Value[]> =>
  fc.tuple(...parts.map((part, index) => part(index)));
const soundParts = fc
  .integer({ min: 1, max: 8 })
  .chain((count) => numbered(Array.from({ length: count }, () => soundPart)));
/** Splits a request after its head, because a reader that expects no body takes what follows for another request. */
const headAndBody = (part: Part): Part[] => {
  const end = part.text.indexOf("\r\n\r\n") + 4;
  const texts = [part.text.slice(0, end), part.text.slice(end)];
  return texts.filter((text) => text !== "").map((text) => ({ ...part, text }));
};
const ended = (groups: Part[][]): Part[][] => [...groups, [lastPart(LAST)]];

const conversations: fc.Arbitrary<Conversation> = fc.oneof(
  {
    weight: 6,
    arbitrary: soundParts.map((parts): Conversation => {
      const groups = ended(parts.map((part) => [part]));
      return { kind: "sound", groups, apart: groups };
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(soundPart(0), fc.oneof({ weight: 5, arbitrary: oddPart(1) }, foreignPart(1)))
      .map(([sound, odd]): Conversation => {
        const groups = ended([[sound], [odd]]);
        return { kind: "odd", groups, apart: groups };
      }),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(soundPart(0), smuggledParts(1), fc.boolean()).map(([sound, parts, isFirst]): Conversation => {
      const before = isFirst ? [] : [[sound]];
      return {
        ...{ kind: "smuggled", groups: ended([...before, parts]) },
        apart: ended([...before, ...parts.flatMap(headAndBody).map((part) => [part])]),
      };
    }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(soundParts, fc.integer({ min: 1, max: 8 })).map(([parts, size]): Conversation => {
      const apart = ended(parts.map((part) => [part]));
      const inOrder = apart.flat();
      const groups = Array.from({ length: Math.ceil(inOrder.length / size) }, (_, index) =>
        inOrder.slice(index * size, (index + 1) * size).map((part) => ({ ...part, isSound: false })),
      );
      return { kind: "pipelined", groups, apart };
    }),
  },
);

export async function sameAnswers({ requests, seed }: SameAnswersOptions): Promise<SameAnswersReport> {
  await using stack = new AsyncDisposableStack();
  const [withLane, without] = await Promise.all([start("on", stack), start("off", stack)]);
  const run = new Run(withLane, without);
  await run.warmUp();
  const next = generate(seed);
  const work = async () => {
    for (const [index, conversation] of next) {
      await run.hold(conversation, index);
      if (run.report.requests >= requests) return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  run.report.inLane = await inLane(withLane.port);
  await Promise.all([withLane.end(), without.end()]);
  return await run.compareClicks();
}

function* generate(seed: number): Generator<[index: number, conversation: Conversation]> {
  for (let batch = 0; ; batch++) {
    const made = fc.sample(conversations, { numRuns: BATCH, seed: seed + batch });
    for (const [index, conversation] of made.entries()) yield [batch * BATCH + index, conversation];
  }
}

interface Service {
  port: number;
  sql: Sql;
  pageTag: string;
  /** Stops the service; resolves once its clicks are in Postgres. */
  end(): Promise<void>;
}

async function start(lane: "on" | "off", stack: AsyncDisposableStack): Promise<Service> {
  const database = await createDatabase();
  stack.defer(() => database.drop());
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-same-"));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await takePort();
  const env = {
    ...{ FAST_LANE: lane, SHORT_DOMAIN: HOST, BASE_URL: "http://localhost", WORKERS: "1", LOG_LEVEL: "info" },
    ...{ TRUSTED_PROXIES: "127.0.0.1", CLIENT_IP_HEADER: CLIENT_HEADER },
  };
  const service = new ServiceProcess({ port, dataDir, databaseUrl: database.url, env });
  stack.defer(async () => void (await service.end()));
  await service.until("worker ready");
  const { register, createLink, call, visit, url } = client(`http://localhost:${port}`);
  const account = await register();
  const other = await register();
  const settings = { appendClickId: true };
  await call("PATCH", `/api/v1/organizations/${other.orgId}`, { token: other.token, body: { settings } });
  await createLink(other, TOLD);
  for (const [slug, link] of Object.entries(links)) await createLink(account, { slug, ...link });
  for (const slug of [...Object.keys(links), "told"]) {
    await (await visit(`/${encodeURIComponent(slug)}`, { host: HOST })).bytes();
  }
  const page = await fetch(url + PAGE, { headers: { host: "localhost" } });
  await page.bytes();
  return {
    ...{ port, sql: database.sql, pageTag: page.headers.get("etag") ?? "none" },
    async end() {
      await untilApplied(url);
      const code = await service.end();
      if (code !== 0) throw new Error(`The service ended with ${code}: ${service.errorOutput}`);
    },
  };
}

/**
 * Waits until all clicks are applied, because a service on a busy machine may stop earlier and leave the rest to its
 * next start.
 */
async function untilApplied(url: string): Promise<void> {
  const giveUpAt = performance.now() + APPLIED_MS_MAX;
  for (;;) {
    const read = await scrape(url);
    const waiting = read("waymark_clicks_recorded_total") - read("waymark_clicks_applied_total");
    if (waiting === 0) return;
    if (performance.now() > giveUpAt) throw new Error(`${waiting} clicks are not in Postgres`);
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

async function inLane(port: number): Promise<number> {
  return (await scrape(`http://localhost:${port}`))("waymark_lane_visits_total");
}

/** The contents of clicks, by their mark and number. */
type Clicks = Map<string, string[]>;

class Run {
  readonly report: SameAnswersReport = {
    ...{
      requests: 0,
      conversations: 0,
      inLane: 0,
      pipelined: 0,
      again: 0,
      different: 0,
      clicks: 0,
      clicksDifferent: 0,
    },
  };
  /** Marks of exchanges with equal responses. */
  readonly #alike = new Set<string>();
  /**
   * For exchanges in which the lane may have sent less, or the visitor left before the end: the visits that the lane
   * answered.
   */
  readonly #answered = new Map<string, string[]>();
  #shown = 0;

  constructor(
    private readonly withLane: Service,
    private readonly without: Service,
  ) {}

  /** Warms both services up, because the first requests have to wait for compilation. */
  async warmUp(): Promise<void> {
    const how = { mark: WARM, number: 0 };
    const made = fc.sample(conversations, { numRuns: WARM_UPS, seed: WARM_UPS });
    const sides = [this.withLane, this.without].map((service) => sideOf(service, how));
    await Promise.all(made.flatMap(({ apart }) => sides.map((side) => exchange(side, apart, WARM_PACE))));
  }

  async hold(conversation: Conversation, index: number): Promise<void> {
    const { report } = this;
    report.conversations += 1;
    report.requests += conversation.groups.flat().length;
    const tries = triesOf(conversation.kind);
    for (const [attempt, { pace, isApart }] of tries.entries()) {
      const mark = `${index.toString(36).padStart(MARK.length - 2, "0")}a${attempt}`;
      const number = index * TRIES_MAX + attempt;
      const isLast = attempt === tries.length - 1;
      if (await this.#isRight(conversation, { mark, number, pace, isApart, isLast })) return;
      report.again += 1;
    }
    report.different += 1;
  }

  async #isRight({ kind, groups, apart }: Conversation, how: Exchange): Promise<boolean> {
    const [here, there] = [sideOf(this.withLane, how), sideOf(this.without, how)];
    const [on, off] = await Promise.all([
      exchange(here, groups, how.pace),
      exchange(there, how.isApart ? apart : groups, how.pace),
    ]);
    const asked = groups.flat();
    const isRight = how.isApart ? isBeginning(on, off, asked) : isSame(on, off, asked);
    if (isRight && how.isApart) this.report.pipelined += 1;
    // If the visitor left first, requests in progress may or may not leave a click.
    if (isRight && !how.isApart && on.isClosed) this.#alike.add(how.mark);
    else if (isRight) this.#noteAnswered(how.mark, on);
    if (!isRight && how.isLast) {
      const sent = groups.map((group) => group.map(({ text }) => here.fill(text)));
      this.#show({ kind, sent, ...whereTheyPart(on, off, asked) });
    }
    return isRight;
  }

  #noteAnswered(mark: string, { text }: ServerOutput): void {
    this.#answered.set(mark, text.match(new RegExp(`(?<=utm_content=)${mark}\\d\\d`, "g")) ?? []);
  }

  #show(difference: object): void {
    if (this.#shown++ < SHOWN_MAX) console.error(JSON.stringify(difference, null, 1).slice(0, SHOWN_LENGTH_MAX));
  }

  /**
   * Compares the clicks. Every visit with equal responses left the same click on both sides; each of the others left
   * the same click or none.
   */
  async compareClicks(): Promise<SameAnswersReport> {
    const { report } = this;
    const [here, there] = await Promise.all([clicksOf(this.withLane.sql), clicksOf(this.without.sql)]);
    for (const key of new Set([...here.keys(), ...there.keys()])) {
      const [on = [], off = []] = [here.get(key), there.get(key)];
      const mark = key.slice(0, MARK.length);
      report.clicks += on.length;
      if (this.#alike.has(mark) ? on.join() !== off.join() : on.length > 1) this.#differs({ key, on, off });
    }
    for (const key of [...this.#answered.values()].flat()) {
      const [on, off] = [here.get(key), there.get(key)];
      if (on?.join() !== off?.join()) this.#differs({ key, on, off });
    }
    return report;
  }

  #differs(what: object): void {
    this.report.clicksDifferent += 1;
    this.#show(what);
  }
}

interface Exchange {
  mark: string;
  number: number;
  pace: Pace;
  /** Whether the service without the lane gets each request only after the response to the previous one. */
  isApart: boolean;
  isLast: boolean;
}

const sideOf = ({ port, pageTag }: Service, { mark, number }: Pick<Exchange, "mark" | "number">): Side => ({
  port,
  fill: (text) => fillRequest(text, { mark, number, pageTag }),
});

const isSame = (on: ServerOutput, off: ServerOutput, asked: readonly Part[]): boolean =>
  on.isClosed === off.isClosed && knownAnswers(on, asked).join("") === knownAnswers(off, asked).join("");

/** True if the lane's responses are a prefix of the others, and equal unless the connection was closed. */
function isBeginning(on: ServerOutput, off: ServerOutput, asked: readonly Part[]): boolean {
  const [said, all] = [knownAnswers(on, asked).join(""), knownAnswers(off, asked).join("")];
  return all.startsWith(said) && (on.isClosed || said.length === all.length);
}

function whereTheyPart(on: ServerOutput, off: ServerOutput, asked: readonly Part[]) {
  const [said, all] = [knownAnswers(on, asked).join(""), knownAnswers(off, asked).join("")];
  const at = Math.max(
    [...said].findIndex((letter, index) => letter !== all[index]),
    0,
  );
  const closed = { on: on.isClosed, off: off.isClosed };
  return { closed, at, on: said.slice(Math.max(at - 80, 0), at + 300), off: all.slice(Math.max(at - 80, 0), at + 300) };
}

/**
 * Returns the responses without what differs between any two. They are split first, because lengths refer to the
 * original responses.
 */
function knownAnswers({ text }: ServerOutput, asked: readonly Part[]): string[] {
  const { whole, rest } = splitResponses(text, asked);
  return [...whole.map(unzipped), rest].map((answer) =>
    answer
      .replaceAll(/Date: [^\r]+/g, "Date: now")
      .replaceAll(/nonce(-|=")[\w+/=-]+/g, "nonce$1…")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "id")
      .replaceAll(/(type="hidden" name="\w+" value=")[^"]+/g, "$1…")
      .replaceAll(/match_token%3D[\w-]+/g, "match_token"),
  );
}

/** Undoes compression, after which the length of a page depends on its nonce. */
function unzipped(answer: string): string {
  const interim = answer.startsWith("HTTP/1.1 100 ") ? answer.indexOf("\r\n\r\n") + 4 : 0;
  const start = answer.indexOf("\r\n\r\n", interim) + 4;
  const [head, body] = [answer.slice(0, start), answer.slice(start)];
  if (!/^content-encoding: gzip/im.test(head)) return answer;
  const page = body === "" ? "" : Buffer.from(Bun.gunzipSync(Buffer.from(body, "latin1"))).toString("latin1");
  return head.replace(/^(content-length: )\d+/im, "$1…") + page;
}

async function clicksOf(sql: Sql): Promise<Clicks> {
  const rows = await sql<{ key: string; click: string }[]>`
    select utm_content as key, md5(concat(to_jsonb(clicks) - ${OWN}::text[], array_remove(bot_reasons, ${OF_OTHERS}))) as click
    from clicks where utm_content not like ${`${WARM}%`} order by 1, 2`;
  const clicks: Clicks = new Map();
  for (const { key, click } of rows) clicks.set(key, [...(clicks.get(key) ?? []), click]);
  return clicks;
}

export const isAllTheSame = ({ different, clicksDifferent, inLane, clicks }: SameAnswersReport): boolean =>
  different + clicksDifferent === 0 && inLane > 0 && clicks > inLane;

if (import.meta.main) {
  const report = await sameAnswers({
    requests: Number(Bun.argv[2] ?? 10_000),
    seed: Number(Bun.argv[3] ?? Date.now()),
  });
  console.table(report);
  await endRun();
  process.exit(isAllTheSame(report) ? 0 : 1);
}
