/** Builds the dashboard's files from `src/dashboard`: their names tell their content, so that browsers keep them for good. */
import { basename } from "node:path";
import { ownFile } from "@/platform/own-files";
import { APP_PATH } from "../app-path";

export const ASSETS_PATH = `${APP_PATH}/assets`;

export interface BuiltFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The page begins with these; others are loaded by them. */
  isEntry: boolean;
}

/** Throws what the bundler complains of. */
export async function buildDashboard(): Promise<BuiltFile[]> {
  const { outputs } = await Bun.build({
    entrypoints: [ownFile("src/dashboard/main.tsx"), ownFile("src/dashboard/main.css")],
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
      isEntry: basename(output.path).startsWith("main-"),
    })),
  );
}
