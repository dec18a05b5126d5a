/**
 * Builds the OpenAPI document from what the routes declare. It is strict 3.1.0, whereas the collected one follows 3.0
 * conventions.
 */
import type { AnyElysia } from "elysia";
import { ErrorBody } from "@/contract/schema";
import { failureResponses, NAMED_HEADERS } from "./answers";
import { gather } from "./gather";
import { OperationMaker } from "./operation";
import { SchemaNames } from "./strict-schema";
import type { OpenApiDocument } from "./types";
import { API_VERSION, DESCRIPTION, SECURITY_SCHEMES, TAGS, TITLE } from "./vocabulary";
import { webhooksOf } from "./webhooks";

export interface BuiltDocument {
  document: OpenApiDocument;
  /** Bodies without an example, because the contract lacks one. */
  gaps: string[];
}

export async function buildDocument(app: AnyElysia, baseUrl: string): Promise<BuiltDocument> {
  const gathered = await gather(app);
  const names = new SchemaNames();
  const error = names.strict(ErrorBody);
  const maker = new OperationMaker(names);
  const paths: OpenApiDocument["paths"] = {};
  for (const [path, methods] of Object.entries(gathered.paths)) {
    paths[path] = {};
    for (const [method, operation] of Object.entries(methods)) {
      paths[path][method] = maker.make(`${method.toUpperCase()} ${path}`, operation);
    }
  }
  const webhooks = webhooksOf(names);
  const document: OpenApiDocument = {
    openapi: "3.1.0",
    info: {
      title: TITLE,
      version: API_VERSION,
      description: DESCRIPTION,
      contact: { name: "Waymark", url: `${baseUrl}/docs` },
    },
    servers: [{ url: baseUrl }],
    tags: tagsOf(paths),
    paths,
    webhooks,
    components: {
      schemas: sorted(names.components),
      responses: usedResponses(paths, failureResponses(error)),
      headers: NAMED_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
  return { document, gaps: maker.gaps };
}

function tagsOf(paths: OpenApiDocument["paths"]): OpenApiDocument["tags"] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const used = new Set(operations.flatMap(({ tags }) => tags ?? []));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}

function usedResponses<Value>(paths: OpenApiDocument["paths"], responses: Record<string, Value>) {
  const text = JSON.stringify(paths);
  const used = Object.entries(responses).filter(([name]) => text.includes(`"#/components/responses/${name}"`));
  return Object.fromEntries(used);
}

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b)));
