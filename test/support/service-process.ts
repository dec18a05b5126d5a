/** The service as a separate process with several workers, as an operator sees it: signals in, log lines out. */
import type { Subprocess } from "bun";

export interface ServiceProcessOptions {
  port: number;
  dataDir: string;
  databaseUrl?: string;
  env?: Record<string, string>;
  /** A command that runs `command`, such as `unshare` with its arguments; absent: none. */
  within?: string[];
  command?: string[];
  /** Working directory; absent: that of the tests. */
  folder?: string;
}

type LogLine = Record<string, unknown> & { message: string };

const WAIT_MS_MAX = 150_000;
/** The memory settings of the image and of `bun start`; the Dockerfile explains them. */
export const MEMORY = { MIMALLOC_PURGE_DELAY: "60000", MIMALLOC_PURGE_HOLES: "0" };
/** The bundle that the image runs if `check.ts` made it; the source if a test file is run on its own. */
export const MAIN = Bun.env.SERVICE_MAIN ?? "src/main.ts";
/** With a HOME, Bun caches its transpiled output of large modules, which saves a sixth of the cost of a start. */
export const SURROUNDINGS = { PATH: Bun.env.PATH, ...(Bun.env.HOME ? { HOME: Bun.env.HOME } : {}), ...MEMORY };

/** Whether a service answers on this port. */
export const isUp = (port: number): Promise<boolean> =>
  fetch(`http://localhost:${port}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

export class ServiceProcess {
  readonly lines: LogLine[] = [];
  /** Standard output other than log lines. */
  plainOutput = "";
  readonly process: Subprocess<"ignore", "pipe", "pipe">;
  /** Standard error. */
  errorOutput = "";
  readonly #ended: Promise<unknown>;

  constructor(options: ServiceProcessOptions) {
    const { port, dataDir, databaseUrl, env, within = [], command = [process.execPath, MAIN] } = options;
    const database: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {};
    this.process = Bun.spawn([...within, ...command], {
      cwd: options.folder,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      env: { ...SURROUNDINGS, PORT: String(port), DATA_DIR: dataDir, WORKERS: "2", ...database, ...env },
    });
    this.#ended = Promise.all([this.#read(), this.#readComplaints(), this.process.exited]);
  }

  /** Returns the log lines so far that have this message. */
  logged(message: string): LogLine[] {
    return this.lines.filter((line) => line.message === message);
  }

  /** Resolves once `count` log lines have this message. Rejects if the service exits first, or after 150 s. */
  async until(message: string, count = 1): Promise<void> {
    const giveUpAt = performance.now() + WAIT_MS_MAX;
    while (this.logged(message).length < count) {
      const { exitCode } = this.process;
      if (exitCode !== null || performance.now() > giveUpAt)
        throw new Error(`No ${count} × "${message}" (exit code ${exitCode}): ${this.errorOutput}${this.#tail()}`);
      await Bun.sleep(5);
    }
  }

  /** Returns the pid of each worker's latest process, by worker number. */
  pids(): Map<unknown, number> {
    return new Map(this.logged("worker ready").map(({ number, pid }) => [number, Number(pid)]));
  }

  /** Sends the signal, then does as `ended`. */
  async end(signal: "SIGTERM" | "SIGINT" | "SIGKILL" = "SIGTERM"): Promise<number | null> {
    this.process.kill(signal);
    return this.ended();
  }

  /** Resolves to the exit code once the process has ended and all its output is read. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.process.exitCode;
  }

  #tail = () => this.lines.slice(-5).map((line) => `\n${JSON.stringify(line)}`);

  async #readComplaints(): Promise<void> {
    for await (const text of this.process.stderr.pipeThrough(new TextDecoderStream())) this.errorOutput += text;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.process.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("{")) this.lines.push(JSON.parse(line));
        else this.plainOutput += `${line}\n`;
      }
    }
  }
}
