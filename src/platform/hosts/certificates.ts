/**
 * Certificates for custom hosts, requested through Fly's GraphQL API for the app that serves them. Nothing is stored
 * here: Fly itself issues and renews them once DNS points at the app. Each call is bounded in time; the caller
 * decides whether to retry.
 */
import type { Certificate } from "@/contract/domains";
import type { Clock } from "../clock";
import type { Outbound } from "../outbound/outbound";

const TOTAL_MS_MAX = 5_000;
const DETAIL_LENGTH_MAX = 200;
const READY = "Ready";

const FIELDS = "hostname configured clientStatus issued { nodes { type expiresAt } }";
const FIND = `query($app: String!, $hostname: String!) {
  app(name: $app) { certificate(hostname: $hostname) { ${FIELDS} } }
}`;
const ADD = `mutation($app: ID!, $hostname: String!) {
  addCertificate(appId: $app, hostname: $hostname) { certificate { ${FIELDS} } }
}`;
const REMOVE = `mutation($app: ID!, $hostname: String!) {
  deleteCertificate(appId: $app, hostname: $hostname) { app { name } }
}`;

export interface Certificates {
  /** Returns the host's certificate, requesting it if there is none. Rejects if that fails. */
  request(hostname: string): Promise<Certificate>;
  /** Returns the certificate's state, `none` if there is no certificate. Rejects if Fly gives no result. */
  state(hostname: string): Promise<Certificate>;
  /** Does nothing if there is no certificate. Rejects if it cannot be removed. */
  remove(hostname: string): Promise<void>;
}

export interface FlyOptions {
  fly: { apiToken: string; app: string; apiUrl: string };
  outbound: Pick<Outbound, "request">;
  clock: Clock;
}

class CertificateError extends Error {
  override name = "CertificateError";
}

interface FlyCertificate {
  clientStatus?: string | null;
  issued?: { nodes?: { expiresAt?: string | null }[] | null } | null;
}

interface FlyData {
  app?: { certificate?: FlyCertificate | null } | null;
  addCertificate?: { certificate?: FlyCertificate | null } | null;
}

interface FlyAnswer {
  data?: FlyData | null;
  errors?: { message?: string }[];
}

export function createFlyCertificates({ fly, outbound, clock }: FlyOptions): Certificates {
  return {
    async request(hostname) {
      const here = await find(hostname);
      if (here) return presentCertificate(here);
      const { data, errors } = await ask(ADD, hostname);
      const added = data?.addCertificate?.certificate;
      if (!added) throw refusal(errors);
      return presentCertificate(added);
    },

    async state(hostname) {
      const here = await find(hostname);
      return here ? presentCertificate(here) : { status: "none", checkedAt: now() };
    },

    async remove(hostname) {
      if (!(await find(hostname))) return;
      const { errors } = await ask(REMOVE, hostname);
      if (errors?.length) throw refusal(errors);
    },
  };

  /** Returns null if there is no certificate; Fly then returns an error beside the app. */
  async function find(hostname: string): Promise<FlyCertificate | null> {
    const { data, errors } = await ask(FIND, hostname);
    if (!data?.app) throw refusal(errors);
    return data.app.certificate ?? null;
  }

  async function ask(query: string, hostname: string): Promise<FlyAnswer> {
    const { status, body } = await outbound.request(fly.apiUrl, {
      method: "POST",
      headers: { authorization: `Bearer ${fly.apiToken}`, "content-type": "application/json" },
      body: JSON.stringify({ query, variables: { app: fly.app, hostname } }),
      totalMs: TOTAL_MS_MAX,
    });
    if (status !== 200) throw new CertificateError(`Fly returned ${status}`);
    const answer: FlyAnswer = JSON.parse(new TextDecoder().decode(body));
    return answer;
  }

  function presentCertificate({ clientStatus, issued }: FlyCertificate): Certificate {
    const expiries = (issued?.nodes ?? []).flatMap(({ expiresAt }) => (expiresAt ? [Date.parse(expiresAt)] : []));
    const known = expiries.filter(Number.isFinite);
    return {
      status: clientStatus === READY ? "ready" : "pending",
      detail: clientStatus?.slice(0, DETAIL_LENGTH_MAX) ?? undefined,
      // Whichever kind of key a browser chooses, its certificate is valid until then.
      expiresAt: known.length > 0 ? new Date(Math.min(...known)).toISOString() : undefined,
      checkedAt: now(),
    };
  }

  function now(): string {
    return new Date(clock()).toISOString();
  }
}

const refusal = (errors: FlyAnswer["errors"]): CertificateError =>
  new CertificateError(errors?.[0]?.message?.slice(0, DETAIL_LENGTH_MAX) ?? "Fly's response contains no certificate");
