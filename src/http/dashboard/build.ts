/** Builds the dashboard's files from `src/dashboard`: their names tell their content, so that browsers keep them for good. */
import { basename } from "node:path";
import { LANGUAGES } from "@/core/page-languages";
import { ownFile } from "@/platform/own-files";
import { APP_PATH } from "../app-path";

export const ASSETS_PATH = `${APP_PATH}/assets`;

export interface BuiltFile {
  /** Begins with that of its source where the page asks for it: the script, the styles, a language's words. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Throws what the bundler complains of. */
export async function buildDashboard(): Promise<BuiltFile[]> {
  const folder = ownFile("src/dashboard");
  const { outputs } = await Bun.build({
    // The words of a language are named by it, so that a page can ask for them along with the script.
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
