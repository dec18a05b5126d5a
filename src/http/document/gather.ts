/**
 * What the routes declare, gathered by `@elysiajs/swagger` in a private app that never listens: the plugin's own page
 * would load its script from a third-party host, and its document is of 3.0's idiom (see `strict-schema.ts`).
 *
 * `@elysiajs/openapi` was tried and not taken. It rewrites nullable schemas in some places and not in others, so that one
 * `$id` names two shapes; everything else that `strict-schema.ts` and `operation.ts` do would stay; and it has TypeScript
 * as a peer, which would be installed with the service.
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
