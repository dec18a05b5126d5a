/** A stand-in for Fly's GraphQL API on loopback. It responds as documented and records the operations. */
import { afterAll } from "bun:test";

export interface TestFly {
  url: string;
  token: string;
  app: string;
  /** `clientStatus` of each host name that has a certificate. */
  certificates: Map<string, string>;
  /** Requested operations with their host name, as `addCertificate go.example.com`. */
  asked: string[];
  /** Status of every response until it is null again. */
  failing: number | null;
}

const EXPIRES = "2099-01-31T12:00:00Z";

/** Starts a stand-in that stops after the test file. */
export function startTestFly(): TestFly {
  const fly: TestFly = {
    url: "",
    token: "fly-token",
    app: "waymark",
    certificates: new Map(),
    asked: [],
    failing: null,
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (fly.failing !== null) return new Response("no", { status: fly.failing });
      if (request.headers.get("authorization") !== `Bearer ${fly.token}`) return new Response("", { status: 401 });
      const { query, variables } = (await request.json()) as Asked;
      if (variables.app !== fly.app) return Response.json({ data: { app: null }, errors: [{ message: "Not found" }] });
      return Response.json(answer(fly, query, variables.hostname));
    },
  });
  afterAll(() => server.stop(true));
  fly.url = `http://127.0.0.1:${server.port}/graphql`;
  return fly;
}

interface Asked {
  query: string;
  variables: { app: string; hostname: string };
}

function answer({ certificates, asked }: TestFly, query: string, hostname: string) {
  const [, operation = "certificate"] = /(addCertificate|deleteCertificate)\(/.exec(query) ?? [];
  asked.push(`${operation} ${hostname}`);
  switch (operation) {
    case "addCertificate":
      if (certificates.has(hostname)) return refusal("addCertificate", "Hostname already exists on app");
      certificates.set(hostname, "Awaiting configuration");
      return { data: { addCertificate: { certificate: described(certificates, hostname) } } };
    case "deleteCertificate":
      if (!certificates.delete(hostname)) return refusal("deleteCertificate", "Could not find Certificate");
      return { data: { deleteCertificate: { app: { name: "waymark" } } } };
    default:
      return { data: { app: { certificate: described(certificates, hostname) } } };
  }
}

const refusal = (operation: string, message: string) => ({ data: { [operation]: null }, errors: [{ message }] });

function described(certificates: Map<string, string>, hostname: string) {
  const clientStatus = certificates.get(hostname);
  if (clientStatus === undefined) return null;
  const isReady = clientStatus === "Ready";
  const nodes = isReady ? ["ecdsa", "rsa"].map((type) => ({ type, expiresAt: EXPIRES })) : [];
  return { hostname, configured: isReady, clientStatus, issued: { nodes } };
}
