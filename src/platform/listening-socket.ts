/**
 * Controls what Bun does not expose about the socket it listens on, but the kernel lets its owner decide: which of
 * several sockets on one port (SO_REUSEPORT) gets new connections. Closing a listening socket resets every connection
 * that waits in its queue or is in the middle of its handshake. So new ones are first led past it, those that wait
 * are served, and only then is it closed. Both ways use a filter of a few instructions (classic BPF, see
 * `socket(7)`). That needs no privilege, except that some kernels allow `refuseHandshakes` only with `CAP_NET_ADMIN`.
 *
 * Linux only. Elsewhere `openListeningSocket` returns null, and a restart may reset connections made at that very
 * moment.
 */
import { ptr } from "bun:ffi";
import { readdir, readFile, readlink } from "node:fs/promises";
import { openCLibrary } from "./c-library";

export interface ListeningSocket {
  /**
   * Lets no handshake begin here from now on: the client's first packet gets no reply, and the client sends it again
   * a second later.
   */
  refuseHandshakes(): void;
  /** Leads all new connections to the port here, if `position` (from 0) is this socket's among those that listen. */
  attract(position: number): void;
  /** Undoes `attract`, whichever process called it: the kernel spreads connections over all sockets again. */
  share(): void;
}

const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;
const SO_ATTACH_REUSEPORT_CBPF = 51;
const SO_DETACH_REUSEPORT_BPF = 68;
/** States of `/proc/net/tcp`. */
const ESTABLISHED = "01";
const LISTEN = "0A";

type Instruction = [code: number, jumpIfTrue: number, jumpIfFalse: number, value: number];

const load = (offset: number): Instruction => [0x30, 0, 0, offset];
const and = (mask: number): Instruction => [0x54, 0, 0, mask];
const unlessEqual = (value: number, skip: number): Instruction => [0x15, 0, skip, value];
const answer = (value: number): Instruction => [0x06, 0, 0, value];

const TCP_FLAGS_OFFSET = 13;
const SYN = 0x02;
const ACK = 0x10;
const WHOLE_PACKET = 0xffff_ffff;
const DROP_FIRST_PACKETS = [
  load(TCP_FLAGS_OFFSET),
  and(SYN | ACK),
  unlessEqual(SYN, 1),
  answer(0),
  answer(WHOLE_PACKET),
];

/** Returns the socket on which this process listens on this port; null if the system does not show it. */
export async function openListeningSocket(port: number): Promise<ListeningSocket | null> {
  if (process.platform !== "linux") return null;
  const [fd] = (await ownSockets(port, LISTEN)).fds;
  if (fd === undefined) return null;
  return {
    refuseHandshakes: () => attach(fd, SO_ATTACH_FILTER, DROP_FIRST_PACKETS),
    attract: (position) => attach(fd, SO_ATTACH_REUSEPORT_CBPF, [answer(position)]),
    share: () => setOption(fd, SO_DETACH_REUSEPORT_BPF, Buffer.alloc(4)),
  };
}

/** Counts the connections that this process has open on the port it listens on; 0 if the system does not show them. */
export async function countOpenConnections(port: number): Promise<number> {
  if (process.platform !== "linux") return 0;
  return (await ownSockets(port, ESTABLISHED)).fds.length;
}

/** Returns the descriptors of this process whose sockets have this local port and this state. */
async function ownSockets(port: number, state: string): Promise<{ fds: number[] }> {
  const inodes = new Set<string>();
  for (const table of ["tcp", "tcp6"]) {
    const text = await readFile(`/proc/self/net/${table}`, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const [, local = "", , lineState, , , , , , inode] = line.trim().split(/\s+/);
      if (lineState === state && Number.parseInt(local.slice(-4), 16) === port) inodes.add(`socket:[${inode}]`);
    }
  }
  if (inodes.size === 0) return { fds: [] };
  const fds = await readdir("/proc/self/fd");
  // A descriptor may be closed between the two reads; it is then ignored.
  const targets = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return { fds: fds.filter((_, index) => inodes.has(targets[index] ?? "")).map(Number) };
}

/**
 * Attaches a filter: a `struct sock_fprog` that points at `struct sock_filter`s, in the byte order of x86-64 and
 * arm64.
 */
function attach(fd: number, option: number, program: Instruction[]): void {
  const instructions = Buffer.alloc(program.length * 8);
  for (const [index, [code, jumpIfTrue, jumpIfFalse, value]] of program.entries()) {
    instructions.writeUInt16LE(code, index * 8);
    instructions.writeUInt8(jumpIfTrue, index * 8 + 2);
    instructions.writeUInt8(jumpIfFalse, index * 8 + 3);
    instructions.writeUInt32LE(value, index * 8 + 4);
  }
  const header = Buffer.alloc(16);
  header.writeUInt16LE(program.length, 0);
  header.writeBigUInt64LE(BigInt(ptr(instructions)), 8);
  setOption(fd, option, header, instructions);
}

/** `_kept` is what `value` points at: passed here so that it outlives the call. */
function setOption(fd: number, option: number, value: Buffer, _kept?: Buffer): void {
  const { setsockopt } = library();
  if (setsockopt(fd, SOL_SOCKET, option, ptr(value), value.length) === 0) return;
  throw new Error(`The kernel rejected socket option ${option}`);
}

let loaded: ReturnType<typeof loadLibrary> | undefined;

function library() {
  loaded ??= loadLibrary();
  return loaded;
}

function loadLibrary() {
  return openCLibrary({ setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" } });
}
