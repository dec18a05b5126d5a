/** Counts the connections of a process as the kernel reports them. */
import { readdir, readFile, readlink } from "node:fs/promises";

const LISTENING = "0A";
const ROW = /^\s*\d+: \S+ \S+:([0-9A-F]{4}) ([0-9A-F]{2}) (?:\S+ ){3}\s*\S+\s+\S+ (\d+)/;

/** Returns the number of open TCP connections, except those to this port. */
export async function countSockets(pid: number, besidesPort: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  const open = new Set(links.map((link) => /^socket:\[(\d+)\]/.exec(link)?.[1]));
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/${pid}/net/${name}`, "utf8").catch(() => "")),
  );
  const rows = tables.flatMap((table) => table.split("\n")).flatMap((line) => ROW.exec(line) ?? []);
  let count = 0;
  for (let at = 0; at < rows.length; at += 4) {
    const [, port = "", state, inode] = rows.slice(at, at + 4);
    if (state !== LISTENING && Number.parseInt(port, 16) !== besidesPort && open.has(inode)) count += 1;
  }
  return count;
}

export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024);
}
