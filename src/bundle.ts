/**
 * Makes `dist`, which the image runs: the service in few files instead of a thousand, which halves the cost of a
 * start. Each process and thread has its own file; code that several need, or that is imported later, is in files
 * beside them.
 */
import { rm } from "node:fs/promises";
import { buildDashboard } from "./http/dashboard/build";
import { BROTLI_SUFFIX, brotli, DASHBOARD_FOLDER } from "./http/dashboard/files";
import { BUNDLE_FOLDER, ENTRIES, ownFile } from "./platform/own-files";

/** Packages that look for files of their own. */
const LEFT_IN_PLACE = ["sharp", "pdfkit"];

const outdir = ownFile(BUNDLE_FOLDER);
await rm(outdir, { recursive: true, force: true });
const { outputs } = await Bun.build({
  entrypoints: Object.values(ENTRIES).map(ownFile),
  outdir,
  target: "bun",
  splitting: true,
  sourcemap: "linked",
  naming: { entry: "[name].[ext]" },
  external: LEFT_IN_PLACE,
});
const dashboard = await buildDashboard();
await Promise.all(
  dashboard.map(async ({ name, bytes }) => {
    const path = ownFile(`${DASHBOARD_FOLDER}/${name}`);
    await Promise.all([Bun.write(path, bytes), Bun.write(path + BROTLI_SUFFIX, await brotli(bytes))]);
  }),
);
console.log(`${BUNDLE_FOLDER}: ${outputs.length + dashboard.length} files`);
