/** The service as a process of its own, with several workers, as an operator sees it: signals in, log lines out. */
import type { Subprocess } from "bun";

export interface ServiceProcessOptions {
  port: number;
  dataDir: string;
  databaseUrl?: string;
  env?: Record<string, string>;
  /** What runs the command, where it is not to be run as it is. */
  within?: string[];
  command?: string[];
  /** Where it runs; absent: where the tests do. */
  folder?: string;
}

type LogLine = Record<string, unknown> & { message: string };

const WAIT_MS_MAX = 150_000;
/** As the image and `bun start` have it; the Dockerfile says why. */
export const MEMORY = { MIMALLOC_PURGE_DELAY: "60000" };
/** The service as the image runs it, where the run's start has made that (`check.ts`); its source for a file run by itself. */
const MAIN = Bun.env.SERVICE_MAIN ?? "src/main.ts";
/** With a home Bun keeps what it has transpiled of large modules, which is a sixth of what a start costs. */
export const SURROUNDINGS = { PATH: Bun.env.PATH, ...(Bun.env.HOME ? { HOME: Bun.env.HOME } : {}), ...MEMORY };

export class ServiceProcess {
  readonly lines: LogLine[] = [];
  /** What it printed that is no log line. */
  said = "";
  readonly process: Subprocess<"ignore", "pipe", "pipe">;
  complained = "";
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

  /** Lines with this message, so far. */
  logged(message: string): LogLine[] {
    return this.lines.filter((line) => line.message === message);
  }

  /** Resolves once as many lines have this message; throws when the service ends before, or it takes too long. */
  async until(message: string, count = 1): Promise<void> {
    const giveUpAt = performance.now() + WAIT_MS_MAX;
    while (this.logged(message).length < count) {
      const { exitCode } = this.process;
      if (exitCode !== null || performance.now() > giveUpAt)
        throw new Error(`No ${count} × "${message}" (exit code ${exitCode}): ${this.complained}${this.#tail()}`);
      await Bun.sleep(5);
    }
  }

  /** The latest process of each worker, by number. */
  pids(): Map<unknown, number> {
    return new Map(this.logged("worker ready").map(({ number, pid }) => [number, Number(pid)]));
  }

  /** The exit code, once everything it wrote is read. */
  async end(signal: "SIGTERM" | "SIGINT" | "SIGKILL" = "SIGTERM"): Promise<number | null> {
    this.process.kill(signal);
    await this.#ended;
    return this.process.exitCode;
  }

  #tail = () => this.lines.slice(-5).map((line) => `\n${JSON.stringify(line)}`);

  async #readComplaints(): Promise<void> {
    for await (const text of this.process.stderr.pipeThrough(new TextDecoderStream())) this.complained += text;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.process.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("{")) this.lines.push(JSON.parse(line));
        else this.said += `${line}\n`;
      }
    }
  }
}
