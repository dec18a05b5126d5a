/**
 * A stand-in for the service, for tests that kill it. Serves the embedded Postgres of the given folder and reports
 * that in a line of JSON. On SIGINT or SIGTERM it drains (one last query), reports that, and stops Postgres.
 */
import postgres from "postgres";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";

const [folder = ""] = process.argv.slice(2);
const { url, isOwner, stop } = await startEmbeddedPostgres(folder, (line) => console.error(line));

async function drain() {
  await Bun.sleep(100);
  const sql = postgres(url, { max: 1 });
  await sql`select 1`;
  console.log("drained");
  await sql.end();
  await stop();
  console.log("stopped");
  process.exit(0);
}

process.once("SIGINT", drain).once("SIGTERM", drain);
setInterval(() => undefined, 60_000);
console.log(JSON.stringify({ url, isOwner }));
