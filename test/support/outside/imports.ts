/** Imports over HTTP: uploads files and waits for the job to end. */
import type { Sql } from "postgres";
import type { Import, ImportOptionsInput, ImportRow } from "@/contract/links/imports";
import type { Account, TestService } from "../service";

type Client = Pick<TestService, "url" | "call">;

export interface ImportFileInput {
  text: string | Uint8Array;
  name?: string;
  options?: ImportOptionsInput | string;
}

/** Uploads a file and returns the response. */
export async function upload(
  { url }: Client,
  { token, orgId }: Pick<Account, "token" | "orgId">,
  file: ImportFileInput,
) {
  const { text, name = "links.csv", options } = file;
  const form = new FormData();
  if (options !== undefined) form.set("options", typeof options === "string" ? options : JSON.stringify(options));
  form.set("file", new File([text], name));
  const response = await fetch(`${url}/api/v1/organizations/${orgId}/imports`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const body = (await response.json()) as Import & { details?: string[] };
  return { status: response.status, body };
}

/** Resolves once the import is neither queued nor running. Retries while the plan's rate limit is exceeded (429). */
export async function waitForImport(client: Client, { token, orgId }: Account, id: string): Promise<Import> {
  for (;;) {
    const { status, body } = await client.call<Import>("GET", `/api/v1/organizations/${orgId}/imports/${id}`, {
      token,
    });
    if (status === 200 && body.status !== "queued" && body.status !== "running") return body;
    if (status !== 200 && status !== 429) throw new Error(`the import was answered ${status}`);
    await Bun.sleep(status === 200 ? 50 : 1_000);
  }
}

/** Uploads a file and waits for the import to end. */
export async function runImport(client: Client, account: Account, file: ImportFileInput): Promise<Import> {
  const { status, body } = await upload(client, account, file);
  if (status !== 202) throw new Error(`the import answered ${status}: ${JSON.stringify(body)}`);
  return waitForImport(client, account, body._id);
}

export async function ledgerOf(
  { call }: Client,
  { token, orgId }: Account,
  id: string,
  query = "",
): Promise<ImportRow[]> {
  const path = `/api/v1/organizations/${orgId}/imports/${id}/ledger?limit=100${query}`;
  return (await call<{ rows: ImportRow[] }>("GET", path, { token })).body.rows;
}

/** Inserts an import that is done, and returns its id. */
export async function addImport({ sql }: { sql: Sql }, orgId: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  const file = { name: "links.csv", bytes: 9, hash: "", encoding: "utf-8", form: { kind: "json", source: "csv" } };
  const options = { source: "csv", mapping: {}, domainMap: {}, onConflict: "skip", dryRun: false, notify: false };
  await sql`insert into imports (id, org_id, file, options, actor, status)
    values (${id}, ${orgId}, ${JSON.stringify(file)}, ${JSON.stringify(options)}, ${JSON.stringify({})}, 'done')`;
  return id;
}
