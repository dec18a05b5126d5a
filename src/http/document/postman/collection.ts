/**
 * Builds the Postman collection (format 2.1) from the OpenAPI document: every operation with its example, ready to
 * run from first to last. It is written by hand, because a converter cannot pass ids and tokens from one response to
 * a later request, and would add 83 packages.
 */
import { EXAMPLE_ID } from "@/contract/schema";
import type { DocumentParameter, OpenApiDocument, Operation } from "../types";
import { CLEAN_UP, FIRST, FOLDERS, LAST, LEFT_OUT, STEPS } from "./journey";
import { ANSWER, judged, type Script, save } from "./scripts";

interface Placed extends Operation {
  method: string;
  path: string;
}

const FORMAT = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** Variables that the run, or a person, fills in. */
const VARIABLES: Record<string, string> = {
  bearerToken: "The `token` returned by register or login",
  apiKey: "The `key` returned when the API key was created",
  metricsToken: "The service's `METRICS_TOKEN`, for operators",
};

export function collectionOf(document: OpenApiDocument): object {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
    )
    .filter(({ operationId }) => !Object.hasOwn(LEFT_OUT, operationId));
  const folders = Map.groupBy(operations, folderOf);
  const paths = operations.map(({ path }) => path);
  const item = [...folders]
    .toSorted(([one], [other]) => rankOfFolder(one) - rankOfFolder(other))
    .map(([name, listed]) => ({
      name,
      item: listed.toSorted((one, other) => rankOf(one) - rankOf(other)).map((one) => itemOf(one, paths)),
    }));
  const [server] = document.servers;
  return {
    info: { name: document.info.title, description: about(document), schema: FORMAT },
    item,
    variable: [{ key: "baseUrl", value: server?.url ?? "" }, ...variablesIn(item)],
  };
}

function about({ info }: OpenApiDocument): string {
  const without = Object.entries(LEFT_OUT).map(([operationId, reason]) => `Leaves out \`${operationId}\`: ${reason}.`);
  const how = `Run the collection from first to last: it registers its own account, and each request takes ids and tokens from
earlier responses.`;
  return [how, ...without, info.description].join("\n\n");
}

const folderOf = ({ method, operationId, tags = [] }: Placed): string =>
  method === "DELETE" || operationId === LAST ? CLEAN_UP : (tags[0] ?? "");

function rankOfFolder(name: string): number {
  if (name === CLEAN_UP) return Number.POSITIVE_INFINITY;
  const index = FOLDERS.indexOf(name);
  return index < 0 ? FOLDERS.length : index;
}

/**
 * Sorts within a folder: the operations of `FIRST`, then creations, reads, changes; deletions from the innermost
 * resource outwards, with signing out last.
 */
function rankOf({ method, path, operationId }: Placed): number {
  const named = FIRST.indexOf(operationId);
  if (named >= 0) return named - FIRST.length;
  if (operationId === LAST) return Number.POSITIVE_INFINITY;
  if (method === "DELETE") return -path.split("/").length;
  if (/^create/.test(operationId)) return 0;
  return ["GET", "PATCH", "PUT", "POST"].indexOf(method) + 1;
}

function itemOf(operation: Placed, paths: string[]): object {
  const { summary = operation.operationId, operationId } = operation;
  const { before = [], reason } = STEPS[operationId] ?? {};
  const isRedirect = "302" in operation.responses;
  return {
    name: summary,
    event: [event("prerequest", before), event("test", afterScript(operation, paths))].flat(),
    request: {
      method: operation.method,
      auth: authOf(operation),
      description: [operation.description, reason].filter(Boolean).join("\n\n"),
      header: headersOf(operation),
      url: urlOf(operation),
      ...bodyOf(operation),
    },
    response: [],
    ...(isRedirect && { protocolProfileBehavior: { followRedirects: false } }),
  };
}

const event = (listen: string, exec: Script): object[] =>
  exec.length === 0 ? [] : [{ listen, script: { type: "text/javascript", exec } }];

function afterScript(operation: Placed, paths: string[]): Script {
  const { operationId, responses } = operation;
  const { after = [], statuses } = STEPS[operationId] ?? {};
  const successes = Object.keys(responses)
    .map(Number)
    .filter((status) => status < 400);
  const saved = [...idOf(operation, paths), ...after];
  return [...judged(operationId, statuses ?? successes), ...(saved.length > 0 ? [...ANSWER, ...saved] : [])];
}

/**
 * Returns the script that saves an id which a path needs: that of a created resource, or of the first one in a list
 * if no request creates one.
 */
function idOf({ method, path }: Placed, paths: string[]): Script {
  const name = paths
    .map((other) => other.startsWith(`${path}/{`) && /^\{(\w+)\}/.exec(other.slice(path.length + 1))?.[1])
    .find(Boolean);
  if (!name || name === "orgId") return [];
  if (method === "POST") return [save(name, "_id")];
  if (method !== "GET" || CREATED.has(name)) return [];
  return [
    "const first = (Object.values(answer).find(Array.isArray) || [])[0] || {};",
    `if (first._id || first.${name}) pm.collectionVariables.set("${name}", first.${name} || first._id);`,
  ];
}

const CREATED = new Set([
  ...["linkId", "domainId", "appId", "bioPageId", "reportId", "exportId"],
  ...["keyId", "tokenId", "webhookId", "membershipId"],
]);

function authOf({ security = [] }: Placed): object {
  const [scheme] = security.flatMap((one) => Object.keys(one));
  if (scheme === undefined) return { type: "noauth" };
  const text = (key: string, value: string) => ({ key, value, type: "string" });
  if (scheme === "apiKey") {
    const apikey = [text("key", "Authorization"), text("value", "ApiKey {{apiKey}}"), text("in", "header")];
    return { type: "apikey", apikey };
  }
  const variable = scheme === "operator" ? "metricsToken" : "bearerToken";
  return { type: "bearer", bearer: [text("token", `{{${variable}}}`)] };
}

function headersOf({ parameters = [], requestBody }: Placed): object[] {
  const given = parameters.filter((parameter) => parameter.in === "header");
  return [
    ...(requestBody ? [{ key: "Content-Type", value: "application/json" }] : []),
    ...given.map((parameter) => ({ key: parameter.name, value: exampleOf(parameter), disabled: !parameter.required })),
  ];
}

function urlOf({ path, operationId, parameters = [] }: Placed): object {
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .split("/");
  const { query: own = {} } = STEPS[operationId] ?? {};
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .map((parameter) => ({
      key: parameter.name,
      value: own[parameter.name] ?? exampleOf(parameter),
      description: parameter.description,
      ...(!parameter.required && own[parameter.name] === undefined && { disabled: true }),
    }));
  const variable = segments
    .filter((segment) => segment.startsWith(":"))
    .map((segment) => ({ key: segment.slice(1), value: `{{${segment.slice(1)}}}` }));
  return { raw: `{{baseUrl}}/${segments.join("/")}`, host: ["{{baseUrl}}"], path: segments, query, variable };
}

function bodyOf({ operationId, requestBody }: Placed): object {
  if (!requestBody) return {};
  const example = STEPS[operationId]?.body ?? requestBody.content["application/json"]?.example;
  const raw = JSON.stringify(example, null, 2);
  return { body: { mode: "raw", raw, options: { raw: { language: "json" } } } };
}

const exampleOf = ({ schema }: DocumentParameter): string =>
  String(schema.examples?.[0] ?? schema.enum?.[0] ?? schema.default ?? "");

/**
 * Gives path parameters an example id until a run has created a real one, because an empty value would make a
 * different path.
 */
function variablesIn(item: object[]): object[] {
  const text = JSON.stringify(item);
  const used = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
  const made = [...text.matchAll(/collectionVariables\.set\(\\"(\w+)/g)].map(([, name = ""]) => name);
  const names = new Set([...used, ...made, ...Object.keys(VARIABLES)]);
  names.delete("baseUrl");
  return [...names].map((key) => ({
    key,
    value: text.includes(`{"key":"${key}","value":"{{${key}}}"}`) ? EXAMPLE_ID : "",
    ...(VARIABLES[key] && { description: VARIABLES[key] }),
  }));
}
