/** The Postman collection contains the document's operations, and runs from first to last without changes. */
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeApp, operationsOf } from "@test/support/document/described";
import { startTestDns } from "@test/support/servers/dns";
import { startTestService } from "@test/support/service";
import { FIRST, LEFT_OUT, STEPS } from "@/http/document/postman/journey";

interface Item {
  name: string;
  item?: Item[];
  request?: {
    method: string;
    url: { path: string[] };
    auth?: { type: string };
    header: { key: string; value: string; disabled?: boolean }[];
  };
}

interface Collection extends Item {
  info: { name: string; schema: string; description: string };
  variable: { key: string; value: string }[];
}

interface Run {
  run: {
    executions: {
      item: { name: string };
      response?: { code: number };
      assertions?: { assertion: string; error?: { message: string } }[];
    }[];
    failures: { error: { name: string; message: string }; source?: { name?: string } }[];
  };
}

const dns = await startTestDns();
const service = await startTestService({ env: { DNS_SERVERS: dns.address } });
const { document } = await describeApp();
const { body: collection } = await service.call<Collection>("GET", "/docs/postman.json");
const requests = leaves(collection);
const operations = operationsOf(document);
const included = operations.filter(({ operationId }) => !Object.hasOwn(LEFT_OUT, operationId));

test("the collection has Postman's format 2.1 and the document's name", () => {
  expect(collection.info).toMatchObject({
    name: "Waymark API",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  });
});

test("the collection contains every operation once, except those that its description names", () => {
  const held = requests.map(({ request }) => `${request?.method} /${request?.url.path.join("/")}`);
  const documented = included.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`);
  expect(held.sort()).toEqual(documented.sort());
  for (const operationId of Object.keys(LEFT_OUT)) expect(collection.info.description).toContain(operationId);
});

test("the table of steps names only operations that exist", () => {
  const ids = operations.map(({ operationId }) => operationId);
  const named = [...FIRST, ...Object.keys(STEPS), ...Object.keys(LEFT_OUT)];
  expect(named.filter((name) => !ids.includes(name))).toEqual([]);
});

test("requests have the credentials of their operation, and no header that must be filled in", () => {
  const typeOf = (name: string) => requests.find((item) => item.name === name)?.request?.auth?.type;
  expect(typeOf("Create a link with an API key")).toBe("apikey");
  expect(typeOf("Create a link")).toBe("bearer");
  expect(typeOf("Sign in")).toBe("noauth");
  const headers = requests.flatMap(({ request }) => request?.header ?? []).filter(({ disabled }) => !disabled);
  expect(headers.filter(({ value }) => /…|\.\.\.|^$/.test(value))).toEqual([]);
});

describe("run by newman from first to last", async () => {
  const { run } = await newmanOnceReady();

  test("sends every request, and signs out at the end", () => {
    const sent = run.executions.map(({ item }) => item.name);
    // newman reports an additional request by an item's script under the item's name.
    expect(sent.filter((name, index) => name !== sent[index - 1])).toEqual(requests.map(({ name }) => name));
    expect(run.executions.at(-1)?.item.name).toBe("End the current session");
  });

  // A new operation that cannot succeed with only its example needs a step in `src/http/document/postman/journey.ts`.
  test("gets the responses that the requests expect, without script errors", () => {
    const told = run.failures.map(({ error, source }) => `${source?.name}: ${error.name} ${error.message}`);
    expect(told).toEqual([]);
    const judged = run.executions.filter(({ assertions }) => assertions?.length).map(({ item }) => item.name);
    expect(requests.map(({ name }) => name).filter((name) => !judged.includes(name))).toEqual([]);
  });

  test("succeeds, except for requests that state why they cannot", () => {
    const excused = new Set(
      included.filter(({ operationId }) => STEPS[operationId]?.reason).map(({ summary }) => summary),
    );
    const refused = run.executions.filter(({ response }) => (response?.code ?? 0) >= 400).map(({ item }) => item.name);
    expect(refused.filter((name) => !excused.has(name))).toEqual([]);
    expect(Object.values(STEPS).filter(({ statuses, reason }) => statuses && !reason)).toEqual([]);
  });
});

/**
 * A service that lacks the processor for seconds, because the machine is busy, is not ready, and says so to the request
 * for that.
 */
async function newmanOnceReady(): Promise<Run> {
  const { summary } = operations.find(({ operationId }) => operationId === "getReadiness") ?? {};
  for (let triesLeft = 5; ; triesLeft--) {
    const made = await newman();
    const asked = made.run.executions.find(({ item }) => item.name === summary);
    if (asked?.response?.code !== 503 || triesLeft === 0) return made;
  }
}

async function newman(): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-postman-"));
  const [path, report] = [join(folder, "collection.json"), join(folder, "report.json")];
  await Bun.write(path, JSON.stringify(collection));
  const options = ["run", path, "--reporters", "json", "--reporter-json-export", report];
  const runner = Bun.spawn([process.execPath, "node_modules/.bin/newman", ...options], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = (await new Response(runner.stdout).text()) + (await new Response(runner.stderr).text());
  await runner.exited;
  const file = Bun.file(report);
  if (!(await file.exists())) throw new Error(`newman made no report: ${said}`);
  const run: Run = await file.json();
  await rm(folder, { recursive: true });
  return run;
}

function leaves(parent: Pick<Item, "item">): Item[] {
  return (parent.item ?? []).flatMap((item) => (item.item ? leaves(item) : [item]));
}
