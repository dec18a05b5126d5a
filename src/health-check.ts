/** Exits with 0 if the service with these settings responds on this machine. For an image's HEALTHCHECK. */
import { readConfig } from "./config";

const ANSWER_MS_MAX = 4_000;

const { host, port } = readConfig();
const isAny = host === "0.0.0.0" || host === "::";
const authority = isAny ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
const response = await fetch(`http://${authority}:${port}/health`, {
  signal: AbortSignal.timeout(ANSWER_MS_MAX),
}).catch((error: Error) => error);
if (response instanceof Error || !response.ok) {
  console.error(response instanceof Error ? response.message : `/health returned ${response.status}`);
  process.exit(1);
}
