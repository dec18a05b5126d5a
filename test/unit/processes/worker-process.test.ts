import { expect, test } from "bun:test";
import { WorkerProcess } from "@/processes/worker-process";

const start = () => new WorkerProcess(1, ["sh", "-c", "exit 1"], { PATH: Bun.env.PATH }, async () => []);

test("a worker that has exited, but whose exit is not reported yet, can be told to leave", async () => {
  for (let turn = 0; turn < 10; turn++) {
    const workers = Array.from({ length: 6 }, start);
    const leaveAll = () => Promise.all(workers.map((worker) => worker.leave(false)));
    await Promise.all(workers.map((worker) => worker.ended.then(leaveAll)));
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual(workers.map(() => "exited with 1"));
  }
});
