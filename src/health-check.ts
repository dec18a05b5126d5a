/** Exits with 0 if the service with these settings responds on this machine. For an image's HEALTHCHECK. */
import { get } from "node:http";
import { readConfig } from "./config";

const ANSWER_MS_MAX = 4_000;

/** With `fetch`, the check would go through a proxy that the environment names. */
const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = get(url, { agent: false, signal: AbortSignal.timeout(ANSWER_MS_MAX) }, (response) => {
      resolve(response.statusCode);
      response.destroy();
    });
    asked.once("error", reject);
  });

const { host, port } = readConfig();
const isAny = host === "0.0.0.0" || host === "::";
const authority = isAny ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
const status = await statusOf(`http://${authority}:${port}/health`).catch((error: Error) => error);
if (status !== 200) {
  console.error(status instanceof Error ? status.message : `/health returned ${status}`);
  process.exit(1);
}
