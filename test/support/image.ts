/**
 * Builds the files of the image from the Dockerfile, without Docker, so that tests and image cannot drift apart. Each
 * stage is a folder that COPY copies to and RUN runs in. Changes that the Dockerfile makes outside its WORKDIR are
 * skipped.
 */
import { cp, mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Glob } from "bun";

const PROJECT = resolve(import.meta.dir, "../..");
/** A command that is skipped because it changes the machine: the tests give the service its own data folder. */
const OF_THE_MACHINE = "mkdir /data && chown bun:bun /data";

export interface Image {
  /** The folder with the contents of the image's WORKDIR. */
  folder: string;
  env: Record<string, string>;
  command: string[];
  healthCheck: string[];
  user: string;
  /** The version of Bun in the base image; "" if the base is not Bun's. */
  bun: string;
}

interface Stage extends Image {
  workdir: string;
}

export async function makeImage(into: string): Promise<Image> {
  const stages = new Map<string, Stage>();
  const isIgnored = await ignored();
  let stage = newStage(join(into, "none"), "");
  for (const [instruction, rest] of await instructions()) {
    if (instruction === "FROM") {
      const [, base = "", name = "image"] = /^(\S+)(?: AS (\S+))?$/i.exec(rest) ?? [];
      stage = newStage(join(into, name), base);
      await mkdir(stage.folder, { recursive: true });
      stages.set(name, stage);
    } else await follow(stage, stages, isIgnored, instruction, rest);
  }
  return stage;
}

const newStage = (folder: string, base: string): Stage => ({
  ...{ folder, env: {}, command: [], healthCheck: [], user: "root", workdir: "/" },
  bun: /^oven\/bun:([\d.]+)/.exec(base)?.[1] ?? "",
});

async function follow(
  stage: Stage,
  stages: Map<string, Stage>,
  isIgnored: (path: string) => boolean,
  instruction: string,
  rest: string,
): Promise<void> {
  switch (instruction) {
    case "WORKDIR":
      stage.workdir = rest;
      return;
    case "ENV":
      for (const [, name = "", value = ""] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value;
      return;
    case "COPY":
      return copy(stage, stages, isIgnored, rest);
    case "RUN":
      return run(stage, rest);
    case "USER":
      stage.user = rest;
      return;
    case "CMD":
      stage.command = JSON.parse(rest);
      return;
    case "HEALTHCHECK":
      stage.healthCheck = JSON.parse(rest.slice(rest.indexOf("CMD ") + 4));
      return;
    case "EXPOSE":
    case "VOLUME":
      return;
    default:
      throw new Error(`The Dockerfile's ${instruction} is not known here`);
  }
}

async function copy(
  stage: Stage,
  stages: Map<string, Stage>,
  isIgnored: (path: string) => boolean,
  rest: string,
): Promise<void> {
  const words = rest.split(/\s+/).filter((word) => !word.startsWith("--"));
  const origin = stages.get(/--from=(\S+)/.exec(rest)?.[1] ?? "");
  const target = words.pop() ?? "";
  for (const word of words) {
    const source = origin ? within(origin, word) : join(PROJECT, word);
    const isFile = (await Bun.file(source).exists()) && target.endsWith("/");
    const destination = join(within(stage, target), isFile ? basename(word) : "");
    if (origin) {
      await copyStaged(source, destination);
      continue;
    }
    const filter = (path: string) => !isIgnored(path.slice(PROJECT.length + 1));
    if (!filter(source)) throw new Error(`.dockerignore keeps ${word} from the image`);
    await cp(source, destination, { recursive: true, verbatimSymlinks: true, filter });
  }
}

/** What a stage has installed are thousands of files, which no later stage changes: both have them as hard links. */
async function copyStaged(source: string, destination: string): Promise<void> {
  await mkdir(dirname(destination), { recursive: true });
  const child = Bun.spawn(["cp", "-al", source, destination], { stderr: "pipe" });
  const [complained, code] = await Promise.all([child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(complained);
}

/** Maps a path of the image to a path on this machine. */
const within = ({ folder, workdir }: Stage, path: string): string =>
  resolve(folder, path.startsWith(workdir) ? path.slice(workdir.length + 1) : path);

async function run({ folder, env }: Stage, script: string): Promise<void> {
  if (script === OF_THE_MACHINE) return;
  const path = `${resolve(process.execPath, "..")}:${Bun.env.PATH}`;
  const child = Bun.spawn(["sh", "-ec", script], {
    cwd: folder,
    env: { ...env, PATH: path, HOME: Bun.env.HOME },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [said, complained, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`RUN ${script} ended with ${code}:\n${said}${complained}`);
}

async function instructions(): Promise<[instruction: string, rest: string][]> {
  const text = (await readFile(join(PROJECT, "Dockerfile"), "utf8")).replaceAll(/^#.*\n/gm, "").replaceAll("\\\n", " ");
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1).trim()]);
}

async function ignored(): Promise<(path: string) => boolean> {
  const lines = (await readFile(join(PROJECT, ".dockerignore"), "utf8"))
    .split("\n")
    .filter((line) => /^[^#\s]/.test(line));
  const globs = lines.flatMap((line) => [new Glob(line), new Glob(`${line}/**`)]);
  return (path) => globs.some((glob) => glob.match(path));
}
