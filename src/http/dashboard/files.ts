/**
 * Serves the dashboard's files. When the dashboard is first opened, they are built, or read from the bundle,
 * compressed once, and kept in memory. A server that only redirects pays nothing for them.
 */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { acceptsCoding } from "@/core/headers/accept-encoding";
import { LANGUAGES, type Language } from "@/core/pages/page-languages";
import { BUNDLE_FOLDER, isBundled, ownFile } from "@/platform/own-files";
import { once } from "../docs/served";
import { ASSETS_PATH, type BuiltFile, buildDashboard } from "./build";

const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json",
};
/**
 * Brotli quality while a visitor waits. The best quality makes files a twentieth smaller and takes twenty times as
 * long.
 */
const QUICK = 9;
/** Suffix of the bundle's compressed files. Each file has one next to it, compressed at the best quality. */
export const BROTLI_SUFFIX = ".br";

type Bytes = Uint8Array<ArrayBuffer>;

interface SentFile {
  type: string;
  plain: Bytes;
  gzip: Bytes;
  br: Bytes;
}

export interface DashboardFiles {
  files: ReadonlyMap<string, SentFile>;
  /** Paths of the script and the styles with which the page starts. */
  script: string;
  styles: string[];
  /** Path of the texts that the page loads first, in each language. */
  words: ReadonlyMap<Language, string>;
}

/** Folder of the dashboard's files in the bundle. */
export const DASHBOARD_FOLDER = `${BUNDLE_FOLDER}/dashboard`;

export const dashboardFiles = once(async (): Promise<DashboardFiles> => {
  const built: ReadFile[] = isBundled ? await readBundled() : await buildDashboard();
  const files = new Map(await Promise.all(built.map(async (file) => [file.name, await compressed(file)] as const)));
  const pathsOf = (source: string, type: string) =>
    built
      .filter(({ name }) => name.startsWith(`${source}-`) && name.endsWith(type))
      .map(({ name }) => `${ASSETS_PATH}/${name}`);
  const scriptOf = (source: string): string => {
    const [script] = pathsOf(source, ".js");
    if (script === undefined) throw new Error(`The dashboard's build has no script of ${source}`);
    return script;
  };
  return {
    files,
    script: scriptOf("main"),
    styles: pathsOf("main", ".css"),
    words: new Map(LANGUAGES.map((language) => [language, scriptOf(language)])),
  };
});

interface ReadFile extends BuiltFile {
  br?: Bytes;
}

async function readBundled(): Promise<ReadFile[]> {
  const folder = ownFile(DASHBOARD_FOLDER);
  const names = [...new Bun.Glob("*").scanSync(folder)].filter((name) => !name.endsWith(BROTLI_SUFFIX));
  return Promise.all(
    names.map(async (name) => ({
      name,
      bytes: await Bun.file(`${folder}/${name}`).bytes(),
      br: await Bun.file(`${folder}/${name}${BROTLI_SUFFIX}`).bytes(),
    })),
  );
}

async function compressed({ name, bytes, br }: ReadFile): Promise<SentFile> {
  const type = TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  return {
    type,
    plain: bytes,
    gzip: new Uint8Array(await promisify(gzip)(bytes)),
    br: br ?? (await brotli(bytes, QUICK)),
  };
}

export async function brotli(bytes: Bytes, quality: number = constants.BROTLI_MAX_QUALITY): Promise<Bytes> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return new Uint8Array(await promisify(brotliCompress)(bytes, { params }));
}

/** Returns the file, or undefined for an unknown name, such as that of another version's file. */
export function sendFile({ files }: DashboardFiles, name: string, request: Request): Response | undefined {
  const file = files.get(name);
  if (!file) return undefined;
  const encoding = encodingFor(request.headers.get("accept-encoding"));
  return new Response(file[encoding], {
    headers: {
      "content-type": file.type,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      ...(encoding !== "plain" && { "content-encoding": encoding }),
    },
  });
}

const encodingFor = (accepted: string | null): "br" | "gzip" | "plain" =>
  acceptsCoding(accepted, "br") ? "br" : acceptsCoding(accepted, "gzip") ? "gzip" : "plain";
