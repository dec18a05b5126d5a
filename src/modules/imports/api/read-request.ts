/** Reads a request for an import from another service's API. */
import { API_SOURCES, ApiImportInput, ImportCredentials } from "@/contract/links/import-api";
import type { ImportOptionsInput } from "@/contract/links/imports";
import { LINK_APIS } from "@/core/imports/apis";
import { SourceRecord } from "@/core/imports/record";
import { readJsonBody } from "@/http/body/read-body";
import { unknownFieldFaults } from "@/http/body/unlisted-fields";
import { createBodyReader } from "@/http/body/validation";
import { invalid } from "@/http/errors";
import type { FetchState, ImportFile } from "@/platform/db/schema/links/imports";
import type { AddressClass } from "@/platform/outbound/addresses";
import type { Seal } from "@/platform/seal";
import { checkedOptions, NO_VISITS_LISTED } from "../options";
import { accessOf, sealAccess } from "./credentials";
import { FETCH_FROM_START } from "./fetch-links";

export interface WantedImport {
  given: ImportOptionsInput;
  file: ImportFile;
  credentials?: Uint8Array;
  fetched?: FetchState;
}

export interface SealingParts {
  seal: Seal;
  classOf(address: string): AddressClass;
}

const BODY_BYTES_MAX = 128 * 1024;

const readCredentials = createBodyReader(ImportCredentials);

export const isJson = (request: Request): boolean =>
  /^application\/json\b/i.test(request.headers.get("content-type") ?? "");

/** Throws 400 and 413. No response quotes the body, which contains a key. */
export async function readApiImport(request: Request, importId: string, parts: SealingParts): Promise<WantedImport> {
  const body = SourceRecord.of(await readBody(request));
  const given = checkedOptions(body?.value("options") ?? {});
  const source = API_SOURCES.find((name) => name === given.source);
  const credentials = body?.under("credentials")?.values;
  if (!credentials) throw invalid(["credentials: required to import from a service's API"]);
  const read = readCredentials(credentials);
  const faults = read.ok ? [] : read.faults.map((fault) => `credentials.${fault}`);
  if (!source) faults.push(`options.source: expected one of ${API_SOURCES.join(", ")} for an import from an API`);
  if (source && given.formerClicksByDay && !LINK_APIS[source].visits) faults.push(NO_VISITS_LISTED);
  if (given.mapping) faults.push("options.mapping: only a CSV has columns");
  faults.push(...unknownFieldFaults(ApiImportInput, body?.values));
  if (!source || !read.ok || faults.length > 0) throw invalid(faults);
  const found = accessOf(source, read.value, parts.classOf);
  if ("fault" in found) throw invalid([found.fault]);
  const { access } = found;
  const hash = new Bun.CryptoHasher("sha256").update(importId).digest("hex");
  return {
    given,
    file: { name: new URL(access.baseUrl).host, bytes: 0, hash, encoding: "utf-8", form: { kind: "api", source } },
    credentials: sealAccess(parts.seal, importId, access),
    fetched: FETCH_FROM_START,
  };
}

async function readBody(request: Request): Promise<unknown> {
  const { value, unfit } = await readJsonBody(request, { bytesMax: BODY_BYTES_MAX, isSecret: true });
  if (unfit.length > 0) throw invalid(unfit.map(({ fault }) => fault));
  return value;
}
