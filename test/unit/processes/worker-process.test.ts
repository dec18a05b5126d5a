import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { WorkerProcess } from "@/processes/worker-process";

const START_MS_MAX = 60_000;
/** Reports that it is migrating at its start and with every order to attract connections, and then asks something. */
const MIGRATING = `
const say = () => (process.send("migrating"), process.send({ note: "asked", id: 1 }));
process.on("message", (order) => order.do === "attract" && say());
say();
`;

const env = { PATH: Bun.env.PATH };
const start = () => new WorkerProcess(1, ["sh", "-c", "exit 1"], env, async () => []);

test("a worker that has exited, but whose exit is not reported yet, can be told to leave", async () => {
  for (let turn = 0; turn < 10; turn++) {
    const workers = Array.from({ length: 6 }, start);
    const leaveAll = () => Promise.all(workers.map((worker) => worker.leave(false)));
    await Promise.all(workers.map((worker) => worker.ended.then(leaveAll)));
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual(workers.map(() => "exited with 1"));
  }
});

describe("a starting worker", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test("is killed only once it has made no progress for too long with an update of the schema", async () => {
    let heard = Promise.withResolvers<void>();
    const onAsked = async () => {
      heard.resolve();
      return [];
    };
    const worker = new WorkerProcess(1, [process.execPath, "-e", MIGRATING], env, onAsked, START_MS_MAX);
    await heard.promise;
    for (let report = 1; report <= 3; report++) {
      jest.advanceTimersByTime(START_MS_MAX - 1);
      heard = Promise.withResolvers();
      void worker.steer({ do: "attract", listeners: 1 });
      await Promise.race([heard.promise, worker.ended.then((how) => Promise.reject(new Error(how)))]);
    }
    jest.advanceTimersByTime(START_MS_MAX);
    expect(await worker.ended).toBe("killed by SIGKILL");
  });
});
