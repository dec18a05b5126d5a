/**
 * Checks a response against the OpenAPI document: its status and media type must be documented, and its body must
 * match the schema and have no further fields.
 */
import { expect } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import type { OpenApiDocument, Response as ResponseObject, Schema } from "@/http/document/types";
import { type DescribedOperation, describeApp, operationsOf } from "./described";

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

const DOCUMENT = "openapi.json";
const RESPONSES = "#/components/responses/";

/** Expects the response to match the document. `path` is the requested one: `/api/v1/links/0198…?x=1`. */
export async function expectConforms(answer: Response | Answer, method: string, path: string): Promise<void> {
  const { document } = await describeApp();
  const operation = operationAt(document, method, path);
  expect(operation, `${method} ${path} stands in the document`).toBeDefined();
  if (!operation) return;
  const place = `${operation.method} ${operation.path} ${answer.status}`;
  const response = operation.responses[answer.status];
  expect(response, `${place} stands in the document`).toBeDefined();
  if (!response) return;
  const { content, headers } = dereferenced(document, response);
  expectHeaders(place, answer, Object.keys(headers ?? {}));
  if (!content) return;
  const mediaType = (answer.headers.get("content-type") ?? "").replace(/;.*/, "");
  expect(Object.keys(content), `${place} has the media type documented`).toContain(mediaType);
  const schema = content[mediaType]?.schema;
  if (!schema || mediaType !== "application/json") return;
  const body = answer instanceof Response ? await answer.clone().json() : answer.body;
  expect({ place, faults: faults(document, schema, body) }).toEqual({ place, faults: [] });
}

/** Headers that every response can have, whatever the operation. */
const GENERAL =
  /^(?:access-control-.*|allow|cache-control|connection|content-length|content-type|date|keep-alive|referrer-policy|set-cookie|strict-transport-security|transfer-encoding|vary|x-accel-buffering|x-content-type-options|x-frame-options)$/;

/** Expects all other headers to be documented and, if the request succeeded, those documented to be there. */
function expectHeaders(place: string, { status, headers }: Answer | Response, documented: string[]): void {
  const names = documented.map((name) => name.toLowerCase());
  const undocumented = [...headers.keys()].filter((name) => !GENERAL.test(name) && !names.includes(name));
  const missing = status < 400 ? names.filter((name) => !headers.has(name)) : [];
  expect({ place, undocumented, missing }).toEqual({ place, undocumented: [], missing: [] });
}

export function operationAt(document: OpenApiDocument, method: string, path: string): DescribedOperation | undefined {
  const called = path.replace(/[?#].*/, "");
  return operationsOf(document)
    .filter((operation) => operation.method === method && pattern(operation.path).test(called))
    .sort((a, b) => parameters(a.path) - parameters(b.path))
    .at(0);
}

const parameters = (path: string): number => path.split("{").length;
const pattern = (path: string) => new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);

export function dereferenced(document: OpenApiDocument, response: ResponseObject | { $ref: string }): ResponseObject {
  if (!("$ref" in response)) return response;
  const target = document.components.responses[response.$ref.slice(RESPONSES.length)];
  if (!target) throw new Error(`There is no component named ${response.$ref}`);
  return target;
}

const validators = new WeakMap<OpenApiDocument, Ajv2020>();

/** Returns what is wrong with the value, one sentence each. Fields that the schema does not list are faults too. */
export function faults(document: OpenApiDocument, schema: Schema, value: unknown): string[] {
  const ajv = validators.get(document) ?? validatorOf(document);
  validators.set(document, ajv);
  const check = ajv.compile(closed(absolute(schema)));
  if (check(value)) return [];
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
  );
}

function validatorOf({ components }: OpenApiDocument): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true });
  addFormats(ajv);
  ajv.addKeyword("components");
  return ajv.addSchema({ $id: DOCUMENT, components: { schemas: closedAll(components.schemas) } });
}

const closedAll = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(absolute(schema))]));

/** Turns references within the document into references to the schema named `DOCUMENT`. */
function absolute(schema: Schema): Schema {
  const moved: Schema = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${DOCUMENT}#/components/`));
  return moved;
}

/** Returns the schema with every object closed to further fields that lists its fields and does not say otherwise. */
function closed(schema: Schema): Schema {
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapped(properties), additionalProperties: additionalProperties ?? false }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
  };
}

const mapped = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));
