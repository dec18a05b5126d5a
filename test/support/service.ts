/** A complete service for tests: own database, data folder and port, real click pipeline, and an HTTP client. */
import { afterAll } from "bun:test";
import { rm } from "node:fs/promises";
import { takePort } from "@test/support/servers/test-port";
import type { Sql } from "postgres";
import { readConfig } from "@/config";
import type { AuthSession } from "@/contract/accounts/auth";
import type { Link, LinkInput } from "@/contract/links/links";
import { type Clock, systemClock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { createLog } from "@/platform/telemetry/log";
import { type Service, startService } from "@/service";
import { makeAccount, type Newcomer } from "./accounts/made-account";
import { createDatabase } from "./servers/postgres";
import { makeQuickFolder } from "./servers/quick-folder";

export interface Reply<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Account {
  token: string;
  orgId: string;
  email: string;
  password: string;
}

export interface TestService {
  url: string;
  /** Host and port of the shared short domain. */
  host: string;
  service: Service;
  sql: Sql;
  /** The same database through Drizzle. */
  db: Drizzle;
  databaseUrl: string;
  /** Returns everything the service has logged so far, one line of JSON per entry. */
  logged(): string;
  /** Sends the body as JSON, or unchanged if it is a string. Parses the response if it is JSON. */
  call<Body = Record<string, unknown>>(method: string, path: string, options?: CallOptions): Promise<Reply<Body>>;
  /** Creates a user with an organization. The email address counts as verified. */
  register(): Promise<Account>;
  createLink(account: Account, input: LinkInput): Promise<Link>;
  createApiKey(account: Account, scopes: string[]): Promise<string>;
  /** Requests a short URL without following redirects. */
  visit(link: Pick<Link, "shortUrl"> | string, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

export interface CallOptions {
  body?: unknown;
  token?: string;
  apiKey?: string;
  headers?: Record<string, string>;
}

export interface TestServiceOptions {
  env?: Record<string, string>;
  clock?: Clock;
}

/** The header from which a test service reads the client's address, unless the test sets another one. */
export const CLIENT_HEADER = "x-client";
const BUSY = "The service is busy; try again shortly";

/** Starts a service that stops after the test file. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = await createDatabase();
  const dataDir = await makeQuickFolder();
  const port = await takePort();
  const env = {
    PORT: String(port),
    HOST: "127.0.0.1",
    TRUSTED_PROXIES: "127.0.0.1",
    CLIENT_IP_HEADER: CLIENT_HEADER,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ...options.env,
  };
  let logged = "";
  const log = createLog((text) => {
    logged += text;
  });
  const config = readConfig(env);
  const { clock = systemClock } = options;
  const service = await startService(config, log, clock);
  const stop = async () => {
    await service.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  afterAll(stop);
  const ofService = client(service.url);
  const newcomer = newcomers();
  // If registering does more than create an account, such as sending mail, the account is registered over HTTP.
  const isOpen = config.registration === "open" && config.smtpUrl === null;
  const isOwnDatabase = env.DATABASE_URL === database.url;
  return {
    ...ofService,
    async register() {
      if (isOwnDatabase && isOpen) return accountOf(await makeAccount({ db: database.db, config, clock }, newcomer()));
      const account = await ofService.register();
      await database.sql`update users set address_held_until = null where email = ${account.email}`;
      return account;
    },
    service,
    sql: database.sql,
    db: database.db,
    databaseUrl: env.DATABASE_URL,
    host: `localhost:${port}`,
    logged: () => logged,
    stop,
  };
}

/** Endpoints that are rate-limited by address. Each request to them comes from a network of its own. */
const LIMITED =
  /^\/api\/v1\/(auth\/(register|login|password|sso|verify-email)|match|organizations\/[^/]+\/members\/invite)\b/;

let addresses = 0;
const freshAddress = () => {
  const number = ++addresses;
  return `${10 + ((number >> 16) & 63)}.${(number >> 8) & 255}.${number & 255}.1`;
};

function newcomers(): () => Newcomer {
  let count = 0;
  return () => ({
    name: "Ada",
    email: `user${++count}-${crypto.randomUUID().slice(0, 8)}@example.com`,
    organizationName: `Acme ${count}`,
  });
}

function accountOf({ session, password }: { session: AuthSession; password: string }): Account {
  const orgId = session.organizations[0]?._id;
  if (!orgId) throw new Error(`An account without an organization: ${JSON.stringify(session)}`);
  return { token: session.token, orgId, email: session.user.email, password };
}

/** Returns a client for the service at this origin. */
export function client(url: string) {
  const newcomer = newcomers();

  async function call<Body>(method: string, path: string, options: CallOptions = {}): Promise<Reply<Body>> {
    const { body, token, apiKey, headers = {} } = options;
    const authorization = token ? `Bearer ${token}` : apiKey ? `ApiKey ${apiKey}` : undefined;
    const response = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(authorization ? { authorization } : {}),
        ...(LIMITED.test(path) ? { [CLIENT_HEADER]: freshAddress() } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    };
  }

  async function register(): Promise<Account> {
    const password = `a long passphrase ${crypto.randomUUID()}`;
    const body = { ...newcomer(), password };
    const session = await create<AuthSession>("/api/v1/auth/register", { body });
    return accountOf({ session, password });
  }

  const createLink = ({ token, orgId }: Account, input: LinkInput): Promise<Link> =>
    create(`/api/v1/organizations/${orgId}/links`, { token, body: input });

  async function createApiKey({ token, orgId }: Account, scopes: string[]): Promise<string> {
    const path = `/api/v1/organizations/${orgId}/api-keys`;
    return (await create<{ key: string }>(path, { token, body: { name: "server", scopes } })).key;
  }

  /** Creates what a test needs. It asks again, as the API says, if a busy machine let it wait for too long. */
  async function create<Body>(path: string, options: CallOptions): Promise<Body> {
    for (;;) {
      const { status, body } = await call<Body & { error?: string }>("POST", path, options);
      if (status === 201) return body;
      if (status !== 503 || body.error !== BUSY)
        throw new Error(`POST ${path} was answered ${status}: ${JSON.stringify(body)}`);
      await Bun.sleep(1_000);
    }
  }

  function visit(link: Pick<Link, "shortUrl"> | string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(typeof link === "string" ? url + link : link.shortUrl, {
      redirect: "manual",
      headers,
    });
  }

  return { url, call, register, createLink, createApiKey, visit };
}
