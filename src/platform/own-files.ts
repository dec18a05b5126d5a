/**
 * Locates the service's own files: beside their source or, if the code is a bundle (`bundle.ts`), modules in `dist`
 * and everything else in its usual place.
 */
import { basename, join } from "node:path";

export const BUNDLE_FOLDER = "dist";

export const isBundled = basename(import.meta.dir) === BUNDLE_FOLDER;
const project = join(import.meta.dir, isBundled ? ".." : "../..");

/**
 * The modules that a process or thread starts with. A bundle holds them side by side, so their file names must
 * differ.
 */
export const ENTRIES = {
  main: "src/main.ts",
  admin: "src/admin.ts",
  healthCheck: "src/health-check.ts",
  clickWorker: "src/clicks/worker.ts",
  hashThread: "src/platform/passwords/hash-thread.ts",
  iconProcess: "src/platform/images/icon-process.ts",
  importProcess: "src/imports/import-process.ts",
  figuresProcess: "src/figures/verify/figures-process.ts",
} as const;

export const entryPath = (entry: keyof typeof ENTRIES): string =>
  join(project, isBundled ? join(BUNDLE_FOLDER, `${basename(ENTRIES[entry], ".ts")}.js`) : ENTRIES[entry]);

/** Returns the location of a file that is not code, given its path within the project. */
export const ownFile = (path: string): string => join(project, path);
