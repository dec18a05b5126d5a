/**
 * Collects what the routes declare with `@elysiajs/swagger`, in a private app that never listens: the plugin's own
 * page would load its script from a third-party host, and its document follows OpenAPI 3.0 conventions (see
 * `strict-schema.ts`).
 *
 * `@elysiajs/openapi` was tried and rejected. It rewrites nullable schemas in some places only, so that one `$id`
 * names two shapes; all other work of `strict-schema.ts` and `operation.ts` would remain; and it has TypeScript as a
 * peer dependency, which would be installed with the service.
 */
import { swagger } from "@elysiajs/swagger";
import { type AnyElysia, Elysia } from "elysia";
import type { GatheredDocument } from "./types";

const GATHERED_PATH = "/gathered/json";

export async function gather(app: AnyElysia): Promise<GatheredDocument> {
  const gatherer = new Elysia()
    .use(swagger({ path: "/gathered", specPath: GATHERED_PATH, excludeStaticFile: false }))
    .use(app);
  const answer = await gatherer.handle(new Request(`http://localhost${GATHERED_PATH}`));
  if (!answer.ok) throw new Error(`Could not collect the routes: ${answer.status} ${await answer.text()}`);
  const gathered: GatheredDocument = JSON.parse(await answer.text());
  return gathered;
}
