/**
 * Passwords of links. Hashes are slow by design, so what was verified is remembered per compiled link, by digest and
 * within a bound; a changed link is compiled anew and remembers nothing.
 */
import type { CompiledLink } from "@/core/compiled-link";
import type { GateVisit } from "@/core/gate";
import { verifyPassword } from "@/platform/passwords";

const REMEMBERED_MAX = 100;
const PASSWORD_LENGTH_MAX = 128;

const remembered = new WeakMap<CompiledLink, Map<string, boolean>>();

export async function checkLinkPassword(link: CompiledLink, password: string | null): Promise<GateVisit["password"]> {
  const hash = link.definition.gate.passwordHash;
  if (hash === null || password === null || password === "") return "absent";
  if (password.length > PASSWORD_LENGTH_MAX) return "incorrect";
  const known = remembered.get(link) ?? new Map<string, boolean>();
  remembered.set(link, known);
  const digest = new Bun.CryptoHasher("sha256").update(password).digest("base64");
  const isRight = known.get(digest) ?? (await verifyPassword(password, hash));
  if (known.size >= REMEMBERED_MAX) known.clear();
  known.set(digest, isRight);
  return isRight ? "correct" : "incorrect";
}

/** Where a visitor may have put it: the form, the header or the query. */
export async function passwordOf(request: Request, query: string): Promise<string | null> {
  const header = request.headers.get("x-link-password");
  if (header !== null) return header;
  const params = new URLSearchParams(query);
  const fromQuery = params.get("pw") ?? params.get("password");
  return request.method === "POST" ? ((await passwordField(request)) ?? fromQuery) : fromQuery;
}

const FORM_BYTES_MAX = 4096;

async function passwordField(request: Request): Promise<string | null> {
  if (Number(request.headers.get("content-length") ?? FORM_BYTES_MAX + 1) > FORM_BYTES_MAX) return null;
  if (!request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) return null;
  return new URLSearchParams(await request.text()).get("password");
}
