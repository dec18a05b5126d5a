/**
 * Generates the dashboard's types from the OpenAPI document. `bun test/support/document/dashboard-types.ts` writes
 * them, and a test fails when they are out of date.
 */
import { exit } from "node:process";
import { plugin } from "bun";
import type { OpenApiDocument } from "@/http/document/types";
import { describeApp } from "./described";

export const TYPES_FILE = "src/dashboard/api/document.d.ts";

const HEAD = "// Made of the OpenAPI document by `bun run dashboard:types`. Do not edit.\n\n";

/** Returns the contents of `TYPES_FILE`, without descriptions and examples, which are for readers of the reference. */
export async function dashboardTypes(): Promise<string> {
  // The generator needs the compiler's JavaScript API, which the native compiler does not have.
  plugin({
    name: "typescript with an API",
    setup: (build) =>
      void build.module("typescript", async () => ({ exports: await import("typescript5"), loader: "object" })),
  });
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  return HEAD + astToString(await openapiTS(JSON.stringify(leanOf((await describeApp()).document)), OPTIONS));
}

const OPTIONS = { alphabetize: true };
const PROSE = ["description", "summary", "examples", "example"];
const FAILURE = {
  description: "",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

/** Keeps only paths and schemas: drops prose and headers, and replaces all error responses with a single one. */
function leanOf({ openapi, info, paths, components }: OpenApiDocument): object {
  const lean: Record<string, Record<string, object>> = {};
  for (const [path, methods] of Object.entries(paths)) {
    lean[path] = {};
    for (const [method, operation] of Object.entries(methods)) {
      const found = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
      const successes = found.map(([status, response]) => [status, { ...response, headers: undefined }]);
      lean[path][method] = { ...operation, responses: { ...Object.fromEntries(successes), default: FAILURE } };
    }
  }
  const document = { openapi, info, paths: lean, components: { schemas: components.schemas } };
  return JSON.parse(JSON.stringify(document, (name, value) => (isProse(name, value) ? undefined : value)));
}

const isProse = (name: string, value: unknown): boolean =>
  PROSE.includes(name) && (typeof value === "string" || name.startsWith("example") || JSON.stringify(value) === "{}");

if (import.meta.main) {
  await Bun.write(TYPES_FILE, await dashboardTypes());
  exit();
}
