import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import { type ClickRecord, decodeRecord } from "@/clicks/record";
import { deleteApplied } from "@/clicks/spool/housekeeping";
import { putFrame, segmentSequences } from "@/clicks/spool/segment";
import { SegmentReader, SPOOL_END } from "@/clicks/spool/segment-reader";
import { diskFiles, openSegment, type SegmentFiles } from "@/clicks/spool/segment-writer";
import { Spool, type SpoolOptions } from "@/clicks/spool/spool";
import { clickRecord, temporaryFolder } from "../records";

let folder: ReturnType<typeof temporaryFolder>;
const open = new Set<Spool>();
let faults: Error[];
let commits: [number, number][];

beforeEach(() => {
  folder = temporaryFolder();
  faults = [];
  commits = [];
});
afterEach(async () => {
  for (const spool of open) await spool.close();
  open.clear();
  folder.remove();
});

function openSpool(changes: Partial<SpoolOptions> = {}): Spool {
  const spool = new Spool({
    folder: folder.path,
    sequenceBefore: 0,
    bytesMax: 1e9,
    fsyncMs: 0,
    onCommit: (sequence, position) => commits.push([sequence, position]),
    onFault: (fault) => faults.push(fault),
    ...changes,
  });
  open.add(spool);
  return spool;
}

const appendAll = (spool: Spool, records: readonly ClickRecord[]) =>
  Promise.all(records.map((record) => spool.append(record)));
const records = (count: number) => Array.from({ length: count }, () => clickRecord());
const segments = () => segmentSequences(fs.readdirSync(folder.path));

function spooledIds(): (string | undefined)[] {
  const reader = new SegmentReader(folder.path);
  const { lines } = reader.read({ segment: 0, offset: 0 }, SPOOL_END, 1e6);
  reader.close();
  return lines.map(({ line, isWhole }) => (isWhole ? decodeRecord(line)?.id : "damaged"));
}

/** A disk with space for `room` bytes. */
function smallDisk(room: number): SegmentFiles & { room: number; writes: number; truncates: boolean; opens: boolean } {
  const disk = {
    ...diskFiles,
    room,
    writes: 0,
    truncates: true,
    opens: true,
    open: (path: string) => {
      if (!disk.opens) throw new Error("ENOSPC: no space left on device, open");
      return diskFiles.open(path);
    },
    write: (fd: number, buffer: Buffer, offset: number, length: number, position: number) => {
      disk.writes += 1;
      if (disk.room === 0) throw new Error("ENOSPC: no space left on device, write");
      const taken = diskFiles.write(fd, buffer, offset, Math.min(length, disk.room), position);
      disk.room -= taken;
      return taken;
    },
    truncate: (fd: number, size: number) => {
      if (!disk.truncates) throw new Error("EIO: truncate");
      diskFiles.truncate(fd, size);
    },
  };
  return disk;
}

describe("appending", () => {
  test("resolves after the write, with one write for all appends of a turn", async () => {
    const disk = smallDisk(1e9);
    const spool = openSpool({ files: disk });
    const all = records(50);
    const answers = all.map((record) => spool.append(record));
    expect(disk.writes).toBe(0);
    expect(new Set(answers).size).toBe(1);
    expect(await Promise.all(answers)).toEqual(all.map(() => true));
    expect(disk.writes).toBe(1);
    expect(spooledIds()).toEqual(all.map(({ id }) => id));
  });

  test("reports how far it has written", async () => {
    await appendAll(openSpool(), records(3));
    const [sequence = 0] = segments();
    const size = fs.statSync(join(folder.path, fs.readdirSync(folder.path)[0] ?? "")).size;
    expect(commits).toEqual([[sequence, size]]);
  });

  test("accepts more records in a turn than fit into its buffer", async () => {
    const query = "q".repeat(2048);
    const all = Array.from({ length: 2000 }, () => clickRecord({ query }));
    expect(await appendAll(openSpool(), all)).not.toContain(false);
    expect(spooledIds()).toEqual(all.map(({ id }) => id));
  });

  test("creates files that only their owner can read", async () => {
    await openSpool().append(clickRecord());
    const [name = ""] = fs.readdirSync(folder.path);
    expect(fs.statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
  });
});

describe("segments", () => {
  test("end when they are full", async () => {
    const spool = openSpool({ segmentBytesMax: 1000 });
    const all = records(10);
    for (const record of all) await spool.append(record);
    expect(segments().length).toBeGreaterThan(2);
    expect(spooledIds()).toEqual(all.map(({ id }) => id));
  });

  test("end at their maximum age, even if nothing more is appended", async () => {
    let now = Date.UTC(2026, 0, 1);
    const spool = openSpool({ segmentAgeMaxMs: 5, now: () => now });
    await spool.append(clickRecord());
    const [first = 0] = segments();
    now += 1000;
    while (commits.length < 2) await Bun.sleep(1);
    expect(commits[1]).toEqual([first + 1, 0]);
    await spool.append(clickRecord());
    expect(segments()).toHaveLength(2);
  });

  test("are numbered after those of a dead process, which stay as they are", async () => {
    await appendAll(openSpool({ sequenceBefore: 1_000_000_000 }), records(2));
    await appendAll(openSpool({ sequenceBefore: 1_000_000_001 }), records(2));
    expect(segments()).toEqual([1_000_000_001, 1_000_000_002]);
  });

  test("are numbered by the clock, so that numbers also rise after a volume was restored", async () => {
    const spool = openSpool({ now: () => Date.UTC(2025, 0, 1, 0, 10) });
    await spool.append(clickRecord());
    expect(segments()).toEqual([600]);
  });
});

describe("a full disk", () => {
  test("sheds clicks it cannot store, keeps only whole frames, and accepts clicks again once there is room", async () => {
    const disk = smallDisk(1000);
    const spool = openSpool({ files: disk });
    const all = records(10);
    expect(await appendAll(spool, all)).toEqual(all.map(() => false));
    const kept = spooledIds();
    expect(kept.length).toBeGreaterThan(0);
    expect(kept).toEqual(all.slice(0, kept.length).map(({ id }) => id));
    expect(spool.stats()).toMatchObject({ appended: kept.length, shed: 10 - kept.length });
    expect(faults[0]?.message).toContain("ENOSPC");

    expect(await spool.append(clickRecord())).toBe(false);
    disk.room = 1e6;
    const after = clickRecord();
    expect(await spool.append(after)).toBe(true);
    expect(spooledIds()).toEqual([...kept, after.id]);
    expect(segments()).toHaveLength(1);
  });

  test("ends a segment once all of it is applied, so that deleting it makes room", async () => {
    const disk = smallDisk(1000);
    const spool = openSpool({ files: disk });
    await appendAll(spool, records(10));
    const [sequence = 0, bytes = 0] = commits.at(-1) ?? [];
    spool.settle(sequence, bytes - 1);
    expect(commits.at(-1)).toEqual([sequence, bytes]);
    spool.settle(sequence, bytes);
    expect(commits.at(-1)).toEqual([sequence + 1, 0]);
    deleteApplied(folder.path, sequence + 1, 0, Date.now());
    disk.room = 1000;
    expect(await spool.append(clickRecord())).toBe(true);
    expect(segments().at(-1)).toBeGreaterThan(sequence);
  });

  test("starts another segment if the file cannot be truncated", async () => {
    const disk = smallDisk(1000);
    const spool = openSpool({ files: disk });
    await appendAll(spool, records(10));
    const kept = spooledIds();
    disk.truncates = false;
    disk.room = 100;
    await spool.append(clickRecord());
    disk.room = 1e6;
    const after = clickRecord();
    expect(await spool.append(after)).toBe(true);
    expect(segments()).toHaveLength(2);
    expect(spooledIds()).toEqual([...kept, after.id]);
  });

  test.each([
    ["", 0],
    [", also if the clock is set back by an hour", 3_600_000],
  ])("that refuses a new file is tried again later%s", async (_, backMs) => {
    let now = Date.UTC(2026, 0, 1);
    const disk = smallDisk(1e6);
    disk.opens = false;
    const spool = openSpool({ files: disk, now: () => now });
    expect(await spool.append(clickRecord())).toBe(false);
    now -= backMs;
    expect(await spool.append(clickRecord())).toBe(false);
    disk.opens = true;
    now += 1000;
    expect(await spool.append(clickRecord())).toBe(true);
    expect(spool.stats()).toMatchObject({ appended: 1, shed: 2 });
  });
});

test("a segment that fails to close is reported as a fault, and the next one is written", async () => {
  const files: SegmentFiles = {
    ...diskFiles,
    close: (fd) => {
      diskFiles.close(fd);
      throw new Error("EIO: i/o error, close");
    },
  };
  const spool = openSpool({ files, segmentBytesMax: 1 });
  const all = records(3);
  for (const record of all) expect(await spool.append(record)).toBe(true);
  await spool.close();
  expect(faults.map(({ message }) => message)).toEqual(all.map(() => "EIO: i/o error, close"));
  expect(spooledIds()).toEqual(all.map(({ id }) => id));
});

test("a segment whose folder cannot be synced is closed and deleted, and the click is shed", async () => {
  let now = Date.UTC(2026, 0, 1);
  const spool = openSpool({ now: () => now });
  {
    using opened = spyOn(fs, "openSync");
    using closed = spyOn(fs, "closeSync");
    using _ = spyOn(fs, "fsyncSync").mockImplementation(() => {
      throw new Error("EIO: i/o error, fsync");
    });
    expect(await spool.append(clickRecord())).toBe(false);
    expect(faults.map(({ message }) => message)).toEqual(["EIO: i/o error, fsync"]);
    const descriptors = opened.mock.results.map(({ value }) => Number(value));
    expect(descriptors).toHaveLength(2);
    expect(closed.mock.calls.map(([fd]) => fd).sort()).toEqual(descriptors.sort());
    expect(segments()).toEqual([]);
  }
  // Within the same second, the next segment has the same name.
  now += 200;
  expect(await spool.append(clickRecord())).toBe(true);
});

describe("the limit of pending bytes", () => {
  test("sheds clicks beyond it, and accepts them again once Postgres has applied earlier ones", async () => {
    const spool = openSpool({ bytesMax: 500 });
    await appendAll(spool, records(1));
    await appendAll(spool, records(1));
    expect(await spool.append(clickRecord())).toBe(false);
    const [sequence = 0, position = 0] = commits.at(-1) ?? [];
    spool.settle(sequence, position);
    expect(spool.stats().pendingBytes).toBe(0);
    expect(await spool.append(clickRecord())).toBe(true);
  });

  test("includes what a dead process left", async () => {
    const spool = openSpool({ bytesMax: 500, segmentsBefore: [{ sequence: 3, bytes: 501 }], sequenceBefore: 3 });
    expect(await spool.append(clickRecord())).toBe(false);
    spool.settle(4, 0);
    expect(await spool.append(clickRecord())).toBe(true);
  });
});

describe("data written during a sync", () => {
  /** A disk whose syncs wait, and the sizes of its files when each sync began. */
  function slowDisk() {
    const began = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const sizes: number[] = [];
    const files: SegmentFiles = {
      ...diskFiles,
      sync: (fd, done) => {
        sizes.push(fs.fstatSync(fd).size);
        began.resolve();
        void released.promise.then(() => diskFiles.sync(fd, done));
      },
    };
    return { files, sizes, began: began.promise, release: released.resolve };
  }

  test("gets one more sync, which later writes share until it starts", async () => {
    const disk = slowDisk();
    const segment = openSegment(folder.path, 1, disk.files);
    const buffer = Buffer.alloc(100);
    const write = () => segment.write(buffer, putFrame(buffer, 0, Buffer.from("a record")));
    write();
    const first = segment.sync();
    const size = segment.bytes;
    expect(segment.sync()).toBe(first);
    write();
    const second = segment.sync();
    write();
    expect(segment.sync()).toBe(second);
    disk.release();
    await second;
    expect(disk.sizes).toEqual([size, 3 * size]);
    await segment.close();
  });

  test("is synced before the segment is closed", async () => {
    const disk = slowDisk();
    const segment = openSegment(folder.path, 1, disk.files);
    const buffer = Buffer.alloc(100);
    segment.write(buffer, putFrame(buffer, 0, Buffer.from("a record")));
    void segment.sync();
    segment.write(buffer, putFrame(buffer, 0, Buffer.from("a record")));
    void segment.sync();
    disk.release();
    await segment.close();
    expect(disk.sizes.at(-1)).toBe(segment.bytes);
  });

  test("is synced when the spool closes", async () => {
    const disk = slowDisk();
    const spool = openSpool({ files: disk.files, fsyncMs: 1 });
    await spool.append(clickRecord());
    await disk.began;
    await spool.append(clickRecord());
    const closed = spool.close();
    disk.release();
    await closed;
    expect(disk.sizes.at(-1)).toBe(commits.at(-1)?.[1]);
  });

  test("is synced when another segment begins", async () => {
    const disk = slowDisk();
    const spool = openSpool({ files: disk.files, fsyncMs: 1, segmentBytesMax: 400 });
    await spool.append(clickRecord());
    await disk.began;
    while (segments().length === 1) await spool.append(clickRecord());
    disk.release();
    await spool.close();
    const [first = 0] = segments();
    const full = commits.findLast(([sequence]) => sequence === first)?.[1] ?? 0;
    expect(disk.sizes).toContain(full);
  });
});

describe("closing", () => {
  test("writes the records appended before it", async () => {
    const spool = openSpool({ fsyncMs: 10 });
    const record = clickRecord();
    const answer = spool.append(record);
    await spool.close();
    expect(await answer).toBe(true);
    expect(spooledIds()).toEqual([record.id]);
  });

  test("sheds records appended after it, and can be repeated", async () => {
    const spool = openSpool();
    await spool.close();
    await spool.close();
    expect(await spool.append(clickRecord())).toBe(false);
    expect(spool.stats()).toEqual({ appended: 0, shed: 1, pendingBytes: 0 });
  });

  test("waits for a sync in progress", async () => {
    let synced = 0;
    const slow: SegmentFiles = {
      ...diskFiles,
      sync: async (fd, done) => {
        await Bun.sleep(20);
        synced += 1;
        diskFiles.sync(fd, done);
      },
    };
    const spool = openSpool({ files: slow, fsyncMs: 1 });
    await spool.append(clickRecord());
    await Bun.sleep(5);
    await spool.close();
    expect(synced).toBeGreaterThan(0);
  });
});
