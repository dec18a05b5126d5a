import { Elysia } from "elysia";
import {
  ConfigurationQuery,
  DashboardHostingInput,
  Domain,
  DomainConfiguration,
  DomainInput,
  DomainList,
  DomainListQuery,
  TlsAnswer,
  TlsQuery,
} from "@/contract/domains";
import { Deleted } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { notFound } from "@/http/errors";
import type { DomainService } from "./service";

export const domainRoutes = (domains: DomainService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/domains", tags: ["Domains"] })
    .use(guard)
    .get("", ({ tenant, query }) => domains.list(tenant, query.page, query.limit), {
      member: "viewer",
      query: DomainListQuery,
      response: { 200: DomainList, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listDomains",
        summary: "List domains",
        description: "A bare array of the organization's domains, newest first.",
      },
    })
    .post("", async ({ tenant, body, status }) => status(201, await domains.create(tenant, body)), {
      member: "admin",
      body: DomainInput,
      response: { 201: Domain, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "createDomain",
        summary: "Add a domain",
        description:
          "Its `configuration` then names the DNS records to create. Links can be made on it once it is verified. " +
          "A host that another organization holds can be added, and verified once theirs has ended.",
      },
    })
    .get(
      "/:domainId/configuration",
      ({ tenant, params, query }) => domains.configuration(tenant, params.domainId, query.check),
      {
        member: "viewer",
        query: ConfigurationQuery,
        response: { 200: DomainConfiguration, ...failures(400, 401, 403, 404) },
        detail: {
          operationId: "getDomainConfiguration",
          summary: "Get the DNS records a domain needs",
          description:
            "Looked up anew each time. The TXT record proves that the host is yours, and is what verification needs. The " +
            "CNAME record (of an apex: A and AAAA) leads visitors here; it is not required, since a proxy in front of the " +
            "host may answer with addresses of its own. `check=true` also looks at the host as a phone would, and says how " +
            "to mend what is wrong.",
        },
      },
    )
    .post("/:domainId/verify", ({ tenant, params }) => domains.verify(tenant, params.domainId), {
      member: "admin",
      response: { 200: Domain, ...failures(400, 401, 403, 404, 409, 413, 415, 503) },
      detail: {
        operationId: "verifyDomain",
        summary: "Verify a domain",
        description:
          "Without its TXT record the answer has `isVerified: false`, and `verification` says what is missing. A verified " +
          "domain is looked up again every day; after three days without the record its verification ends, and its links " +
          "are no longer served. At most one organization holds a host verified (409). 503 when DNS does not answer.",
      },
    })
    .patch("/:domainId/dashboard", ({ tenant, params, body }) => domains.hostDashboard(tenant, params.domainId, body), {
      member: "admin",
      body: DashboardHostingInput,
      response: { 200: Domain, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "updateDomainDashboard",
        summary: "Update a domain's dashboard hosting",
        description:
          "Absent fields stay. `isPrimary` clears that of the organization's other domains. Where the dashboard is served, " +
          "so are the API and its reference, and their paths (`/app`, `/api`, `/docs`, `/login` and the like) are no short " +
          "URLs: 409 while links or bio pages stand on them.",
      },
    })
    .delete("/:domainId", ({ tenant, params }) => domains.remove(tenant, params.domainId), {
      member: "admin",
      response: { 200: Deleted, ...failures(401, 403, 404, 409) },
      detail: {
        operationId: "deleteDomain",
        summary: "Delete a domain",
        description: "409 while live links are on it. Deleted links of it keep their figures.",
      },
    });

/** Asked by proxies that get certificates on demand: answered from memory, whatever is away. */
export const tlsRoutes = (isServed: (hostname: string) => boolean, guard: Guard) =>
  new Elysia({ prefix: "/internal/tls", tags: ["Service"] }).use(guard).get(
    "/ask",
    ({ query }) => {
      if (!isServed(query.domain)) throw notFound("host");
      return { domain: query.domain };
    },
    {
      operator: true,
      query: TlsQuery,
      response: { 200: TlsAnswer, ...failures(400, 401, 404) },
      detail: {
        operationId: "askTls",
        summary: "Check whether a host is served here",
        description: "What Caddy's `on_demand_tls.ask` asks: 200 for verified hosts and the service's own, else 404.",
      },
    },
  );
