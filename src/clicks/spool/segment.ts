/**
 * A segment is an append-only file of frames, `[u32 length][u32 CRC-32][payload]`, little-endian. Written frames
 * never change. A frame counts once it is whole; whatever a crash leaves of the last one is not a frame.
 */
const FRAME_HEADER_BYTES = 8;

/** No payload is longer. A longer length was not written by this code, so the bytes are not a frame. */
const FRAME_PAYLOAD_BYTES_MAX = 65_536;
export const FRAME_BYTES_MAX = FRAME_HEADER_BYTES + FRAME_PAYLOAD_BYTES_MAX;

const CRC_OFFSET = 4;

export const frameBytes = (payloadBytes: number): number => FRAME_HEADER_BYTES + payloadBytes;

/** Writes a frame of `payload` at `offset`, where there must be room for it, and returns where it ends. */
export function putFrame(buffer: Buffer, offset: number, payload: Buffer): number {
  buffer.writeUInt32LE(payload.length, offset);
  buffer.writeUInt32LE(Bun.hash.crc32(payload), offset + CRC_OFFSET);
  buffer.set(payload, offset + FRAME_HEADER_BYTES);
  return offset + frameBytes(payload.length);
}

export type RecordFrame =
  | { kind: "whole"; payload: Buffer; end: number }
  /** Complete by its length, but the payload does not match its checksum. */
  | { kind: "damaged"; payload: Buffer; end: number }
  /** The bytes end within the frame, or its length is invalid. */
  | { kind: "partial" };

export function readFrame(buffer: Buffer, offset: number, bytesEnd: number): RecordFrame {
  const start = offset + FRAME_HEADER_BYTES;
  if (start > bytesEnd) return { kind: "partial" };
  const length = buffer.readUInt32LE(offset);
  const end = start + length;
  // File systems leave zeros after power loss, which would otherwise read as empty frames.
  if (length === 0 || length > FRAME_PAYLOAD_BYTES_MAX || end > bytesEnd) return { kind: "partial" };
  const payload = buffer.subarray(start, end);
  const isWhole = Bun.hash.crc32(payload) === buffer.readUInt32LE(offset + CRC_OFFSET);
  return { kind: isWhole ? "whole" : "damaged", payload, end };
}

/**
 * Returns the offset of the next whole frame at or after `offset`, or undefined if `buffer` holds none before
 * `bytesEnd`. Length and checksum must match, so other bytes pass for a frame once in four billion tries.
 */
export function nextFrameStart(buffer: Buffer, offset: number, bytesEnd: number): number | undefined {
  for (let start = offset; start + FRAME_HEADER_BYTES < bytesEnd; start += 1) {
    if (readFrame(buffer, start, bytesEnd).kind === "whole") return start;
  }
  return undefined;
}

/**
 * Returns where the last frame within the first `bytesWritten` bytes ends, and how many whole frames there are. Does
 * not check checksums: this process put the frames into `buffer` itself.
 */
export function wholeFramesEnd(buffer: Buffer, bytesWritten: number): { end: number; frames: number } {
  let end = 0;
  let frames = 0;
  while (end + FRAME_HEADER_BYTES <= bytesWritten) {
    const next = end + FRAME_HEADER_BYTES + buffer.readUInt32LE(end);
    if (next > bytesWritten) break;
    end = next;
    frames += 1;
  }
  return { end, frames };
}

const NAME = /^(\d{10})\.seg$/;

export const segmentName = (sequence: number): string => `${String(sequence).padStart(10, "0")}.seg`;

/** Returns the sequence numbers found among a folder's file names, in ascending order. */
export function segmentSequences(names: readonly string[]): number[] {
  return names.flatMap((name) => NAME.exec(name)?.slice(1).map(Number) ?? []).sort((a, b) => a - b);
}
