import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acquireFileLock } from "@/platform/file-lock";

const LOCK_MODULE = join(import.meta.dir, "../../../src/platform/file-lock.ts");

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark lock "));
  path = join(folder, "owner.lock");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe("a file lock", () => {
  test("is refused when taken a second time in the same process", () => {
    const lock = acquireFileLock(path);
    expect(lock?.path).toBe(path);
    expect(acquireFileLock(path)).toBeNull();
    lock?.release();
  });

  test("is free again after its release, and releasing twice is harmless", () => {
    const first = acquireFileLock(path);
    first?.release();
    first?.release();
    const second = acquireFileLock(path);
    expect(second).not.toBeNull();
    first?.release();
    expect(acquireFileLock(path)).toBeNull();
    second?.release();
  });

  test("is refused to a worker thread of the process that holds it", async () => {
    const lock = acquireFileLock(path);
    const worker = new Worker(holderScriptUrl());
    worker.postMessage(path);
    const answer = await new Promise((resolve) => worker.addEventListener("message", (event) => resolve(event.data)));
    expect(answer).toBe("refused");
    worker.terminate();
    lock?.release();
  });

  test("is held even if its owner keeps no reference to it", () => {
    acquireFileLock(path);
    Bun.gc(true);
    expect(acquireFileLock(path)).toBeNull();
  });

  test("is refused while another process holds it, and free once that is killed", async () => {
    const holder = await holdInAnotherProcess(path);
    expect(acquireFileLock(path)).toBeNull();
    holder.kill("SIGKILL");
    await holder.exited;
    const lock = acquireFileLock(path);
    expect(lock).not.toBeNull();
    lock?.release();
  });

  test("is not kept by a child that outlives its owner", async () => {
    const script = `
      const { acquireFileLock } = await import(${JSON.stringify(LOCK_MODULE)});
      if (!acquireFileLock(${JSON.stringify(path)})) throw new Error("refused");
      const { spawn } = await import("node:child_process");
      const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
      console.log(child.pid);
      process.kill(process.pid, "SIGKILL");`;
    const owner = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
    const childPid = Number(await new Response(owner.stdout).text());
    const lock = acquireFileLock(path);
    process.kill(childPid, "SIGKILL");
    expect(lock).not.toBeNull();
    lock?.release();
  });

  test("goes to exactly one of many processes that try simultaneously", async () => {
    const script = `
      const { acquireFileLock } = await import(${JSON.stringify(LOCK_MODULE)});
      console.log(acquireFileLock(${JSON.stringify(path)}) ? "held" : "refused");
      await Bun.stdin.text();`;
    const takers = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, "-e", script], { stdin: "pipe", stdout: "pipe", stderr: "inherit" }),
    );
    const answers = await Promise.all(takers.map((taker) => firstChunk(taker.stdout)));
    for (const taker of takers) taker.stdin.end();
    await Promise.all(takers.map((taker) => taker.exited));
    expect(answers.filter((answer) => answer.startsWith("held"))).toHaveLength(1);
  });

  test("names its file when the folder is missing", () => {
    const missing = join(folder, "nowhere", "owner.lock");
    expect(() => acquireFileLock(missing)).toThrow(missing);
  });
});

async function holdInAnotherProcess(lockPath: string) {
  const script = `
    const { acquireFileLock } = await import(${JSON.stringify(LOCK_MODULE)});
    console.log(acquireFileLock(${JSON.stringify(lockPath)}) ? "held" : "refused");
    setInterval(() => {}, 60_000);`;
  const holder = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  expect(await firstChunk(holder.stdout)).toStartWith("held");
  return holder;
}

function holderScriptUrl(): string {
  const script = `
    import { acquireFileLock } from ${JSON.stringify(LOCK_MODULE)};
    self.onmessage = (event) => postMessage(acquireFileLock(event.data) ? "held" : "refused");`;
  return URL.createObjectURL(new Blob([script], { type: "application/typescript" }));
}

async function firstChunk(stream: ReadableStream<Uint8Array>): Promise<string> {
  const { value } = await stream.getReader().read();
  return new TextDecoder().decode(value);
}
