/** Compiles Kotlin and runs it on the machine's JVM. */
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Null if this machine has no JVM. */
export const java = Bun.which("java");

const LIBRARIES = ["kotlin-compiler", "kotlin-script-runtime", "kotlin-reflect", "kotlin-daemon-client"];
const STANDARD_LIBRARIES = ["kotlin-stdlib", "kotlinx-coroutines-core-jvm", "annotations-13.0"];
/** Starts quickly rather than running fast for long. */
const BRIEF = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** Puts jars of the compiler in this folder together as a path of classes. */
const jars = (folder: string, names: readonly string[]) =>
  names.map((name) => join(folder, `node_modules/kotlin-compiler/lib/${name}.jar`)).join(":");

/**
 * Compiles the files and the texts, by name, together with the `main` beside this file. Returns a new folder for
 * `runKotlin`, with the compiler in it: remove it afterwards.
 */
export async function compileKotlin(files: readonly string[], texts: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-kotlin-"));
  await cp(import.meta.dir, folder, { recursive: true });
  await outputOf([process.execPath, "install", "--frozen-lockfile", "--silent", "--cwd", folder]);
  for (const [name, text] of Object.entries(texts)) await Bun.write(join(folder, name), text);
  const sources = ["Main.kt", "Android.kt", ...Object.keys(texts)].map((name) => join(folder, name));
  const compiler = ["-cp", jars(folder, [...LIBRARIES, ...STANDARD_LIBRARIES])];
  const to = ["-kotlin-home", join(folder, "node_modules/kotlin-compiler"), "-no-reflect", "-d", join(folder, CLASSES)];
  await callJava([...compiler, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", ...to, ...sources, ...files]);
  return folder;
}

const CLASSES = "classes";

/** Calls the compiled `main`. Returns the lines that it printed, once all its threads have ended. */
export async function runKotlin(folder: string, args: readonly string[]): Promise<string[]> {
  const path = [join(folder, CLASSES), jars(folder, STANDARD_LIBRARIES)].join(":");
  return (await callJava(["-cp", path, "MainKt", ...args])).trimEnd().split("\n");
}

const callJava = (args: readonly string[]) => outputOf([java ?? "java", ...BRIEF, ...args]);

async function outputOf(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${output}${errors}`);
  return output;
}
