/**
 * Builds the dashboard's files from `src/dashboard`. Their names contain a hash of their content, so that browsers
 * can cache them permanently.
 */
import { basename } from "node:path";
import { LANGUAGES } from "@/core/pages/page-languages";
import { ownFile } from "@/platform/own-files";
import { APP_PATH } from "../app-path";

export const ASSETS_PATH = `${APP_PATH}/assets`;

export interface BuiltFile {
  /**
   * Starts with the name of its source if the page requests the file: the script, the styles, the texts of a
   * language.
   */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Throws the bundler's errors. */
export async function buildDashboard(): Promise<BuiltFile[]> {
  const folder = ownFile("src/dashboard");
  const { outputs } = await Bun.build({
    // The first texts of a language are named after it, so that a page can request them together with the script.
    entrypoints: ["main.tsx", "main.css", ...LANGUAGES.map((language) => `words/${language}.ts`)].map(
      (path) => `${folder}/${path}`,
    ),
    target: "browser",
    splitting: true,
    minify: true,
    naming: "[name]-[hash].[ext]",
    publicPath: `${ASSETS_PATH}/`,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return Promise.all(
    outputs.map(async (output) => ({
      name: basename(output.path),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
}
