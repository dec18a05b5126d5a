/** A worker whose start updates the schema, which can take many minutes with many links. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { MAIN, SURROUNDINGS } from "@test/support/service-process";
import { SEARCH_INDEX } from "@/platform/db/schema-version";

/** Makes the creation of an index last until there is a row. */
const HOLD = `
create table released (at timestamptz);
create function hold() returns event_trigger language plpgsql as $$
  begin while not exists (select from released) loop perform pg_sleep(0.02); end loop; end $$;
create event trigger hold on ddl_command_start when tag in ('CREATE INDEX') execute function hold();
drop index ${SEARCH_INDEX};
`;

test("a worker reports that it makes progress until it is ready", async () => {
  const database = await createDatabase();
  await database.sql.unsafe(HOLD);
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-test-"));
  const heard = { migrating: Promise.withResolvers<void>(), ready: Promise.withResolvers<void>() };
  const worker = Bun.spawn([process.execPath, MAIN], {
    env: {
      ...{ ...SURROUNDINGS, PORT: String(await takePort()), DATABASE_URL: database.url },
      ...{ DATA_DIR: dataDir, WAYMARK_WORKER: "1" },
    },
    stdout: "ignore",
    ipc: (message: unknown) => {
      if (message === "migrating" || message === "ready") heard[message].resolve();
    },
  });
  const died = worker.exited.then((code) => Promise.reject(new Error(`The worker exited with ${code}`)));
  await Promise.race([heard.migrating.promise, died]);
  await database.sql`insert into released values (now())`;
  await Promise.race([heard.ready.promise, died]);
  died.catch(() => undefined);
  worker.send({ do: "leave", hasSuccessor: false });
  expect(await worker.exited).toBe(0);
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});
