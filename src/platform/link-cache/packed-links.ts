/**
 * Packed links by address, outside the heap. A packed link takes a tenth of a compiled link's memory, the garbage
 * collector neither scans nor counts it, and it can be served again after some microseconds, without a request to
 * Redis or Postgres.
 *
 * Records are appended to chunks of one size. When the bound in bytes is reached, the oldest chunk is freed, and its
 * records that were read since they were written are appended again (second chance). A record that is replaced or
 * deleted keeps its bytes until its chunk is freed. A crash loses nothing that cannot be loaded again.
 */
import type { LinkDefinition } from "@/core/routing/link";
import { packLink, unpackLink } from "@/core/routing/packed-link";
import { allocateBlock, type Block } from "./off-heap";
import { readUuid, UUID_BYTES, writeUuid } from "./packed-uuid";
import { SlabIndex } from "./slab-index";

const CHUNK_BYTES = 1024 * 1024;

/**
 * The layout of a record: the lengths of the key and of the packed link, the key's hash, whether it was read, its
 * weight, when it was loaded, the ids of the link and its organization; then the key and the packed link. If an id is
 * not a UUID, its bytes are zeros and the packed link contains it.
 */
const KEY_LENGTH_AT = 0;
const LINK_LENGTH_AT = 4;
const HASH_AT = 8;
const IS_USED_AT = 12;
const WEIGHT_AT = 16;
const LOADED_AT = 20;
const ID_AT = 28;
const ORG_ID_AT = ID_AT + UUID_BYTES;
const HEAD_BYTES = ORG_ID_AT + UUID_BYTES;

export interface PackedLink {
  definition: LinkDefinition;
  /** Unix milliseconds. */
  loadedAt: number;
  /** Bytes that the compiled link takes. */
  bytes: number;
}

interface Place {
  chunk: Block;
  offset: number;
}

/** Bytes of a record that are read in one step; most records are no longer. */
const GLANCE_BYTES = 1_024;

const USED = Buffer.from([1, 0, 0, 0]);

export class PackedLinks {
  readonly #bytesMax: number;
  readonly #index = new SlabIndex();
  /** By number; each number is one higher than that of the chunk before. */
  readonly #chunks = new Map<number, Block>();
  readonly #glance = Buffer.alloc(GLANCE_BYTES);
  #newest = 0;
  #used = CHUNK_BYTES;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get size(): number {
    return this.#index.size;
  }

  get bytes(): number {
    return this.#chunks.size === 0 ? 0 : this.#chunks.size * CHUNK_BYTES + this.#index.bytes;
  }

  /** Replaces what is stored for the key. Stores nothing if the bound is zero or the record is larger than a chunk. */
  put(key: string, link: PackedLink): void {
    this.delete(key);
    if (this.#bytesMax > 0) this.#append(recordOf(key, link));
  }

  get(key: string): PackedLink | undefined {
    const position = this.#find(key);
    if (position < 0) return undefined;
    const record = this.#recordAt(position);
    if (record.readUInt32LE(IS_USED_AT) === 0) this.#write(position + IS_USED_AT, USED);
    return {
      definition: unpackLink(textOf(record), {
        id: readUuid(record, ID_AT),
        orgId: readUuid(record, ORG_ID_AT),
        shortUrl: usualShortUrl(key),
      }),
      loadedAt: record.readDoubleLE(LOADED_AT),
      bytes: record.readUInt32LE(WEIGHT_AT),
    };
  }

  has(key: string): boolean {
    return this.#find(key) >= 0;
  }

  delete(key: string): void {
    const position = this.#find(key);
    if (position >= 0) this.#index.remove(hashOf(key), position);
  }

  #append(record: Buffer): void {
    if (record.length > CHUNK_BYTES) return;
    if (this.#used + record.length > CHUNK_BYTES) this.#beginChunk();
    const position = this.#newest * CHUNK_BYTES + this.#used;
    this.#write(position, record);
    this.#index.add(record.readUInt32LE(HASH_AT), position);
    this.#used += record.length;
  }

  #beginChunk(): void {
    this.#newest += 1;
    this.#used = 0;
    this.#chunks.set(this.#newest, allocateBlock(CHUNK_BYTES));
    while (this.#chunks.size > 1 && this.bytes > this.#bytesMax) this.#dropOldest();
  }

  #dropOldest(): void {
    const [oldest] = this.#chunks;
    if (!oldest) return;
    const [number, block] = oldest;
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    block.read(0, chunk);
    block.free();
    this.#chunks.delete(number);
    let offset = 0;
    // The rest of a chunk is zeros, which read as a key of length zero.
    while (offset + HEAD_BYTES <= CHUNK_BYTES && chunk.readUInt32LE(offset + KEY_LENGTH_AT) > 0) {
      const record = chunk.subarray(offset, offset + lengthOf(chunk.subarray(offset)));
      const isLive = this.#index.remove(record.readUInt32LE(HASH_AT), number * CHUNK_BYTES + offset);
      if (isLive && record.readUInt32LE(IS_USED_AT) === 1) this.#writeAgain(record);
      offset += record.length;
    }
  }

  /** Appends a record again, unless the newest chunk has no room for it: freeing one chunk must make room for one. */
  #writeAgain(record: Buffer): void {
    if (this.#used + record.length > CHUNK_BYTES) return;
    record.writeUInt32LE(0, IS_USED_AT);
    this.#append(record);
  }

  #find(key: string): number {
    const keyBytes = Buffer.from(key);
    return this.#index.find(hashOf(key), (position) => {
      const record = this.#recordAt(position);
      const end = HEAD_BYTES + record.readUInt32LE(KEY_LENGTH_AT);
      return (
        end === HEAD_BYTES + keyBytes.length && record.compare(keyBytes, 0, keyBytes.length, HEAD_BYTES, end) === 0
      );
    });
  }

  /** Returns a copy that is valid until the next call. */
  #recordAt(position: number): Buffer {
    const { chunk, offset } = this.#place(position);
    const glance = offset + GLANCE_BYTES > CHUNK_BYTES ? this.#glance.subarray(0, CHUNK_BYTES - offset) : this.#glance;
    chunk.read(offset, glance);
    const length = lengthOf(glance);
    if (length <= glance.length) return glance;
    const whole = Buffer.allocUnsafe(length);
    chunk.read(offset, whole);
    return whole;
  }

  #write(position: number, bytes: Buffer): void {
    const { chunk, offset } = this.#place(position);
    chunk.write(offset, bytes);
  }

  #place(position: number): Place {
    const chunk = this.#chunks.get(Math.floor(position / CHUNK_BYTES));
    if (!chunk) throw new Error("A packed link refers to a chunk that no longer exists");
    return { chunk, offset: position % CHUNK_BYTES };
  }
}

function recordOf(key: string, { definition, loadedAt, bytes }: PackedLink): Buffer {
  const { id, orgId } = definition;
  const head = Buffer.alloc(HEAD_BYTES);
  const text = packLink(definition, {
    id: writeUuid(id, head, ID_AT) ? id : "",
    orgId: writeUuid(orgId, head, ORG_ID_AT) ? orgId : "",
    shortUrl: usualShortUrl(key),
  });
  const record = Buffer.alloc(HEAD_BYTES + Buffer.byteLength(key) + Buffer.byteLength(text));
  head.copy(record);
  const keyLength = record.write(key, HEAD_BYTES);
  const textLength = record.write(text, HEAD_BYTES + keyLength);
  record.writeUInt32LE(keyLength, KEY_LENGTH_AT);
  record.writeUInt32LE(textLength, LINK_LENGTH_AT);
  record.writeUInt32LE(hashOf(key), HASH_AT);
  record.writeUInt32LE(bytes, WEIGHT_AT);
  record.writeDoubleLE(loadedAt, LOADED_AT);
  return record;
}

/** Most links have this short URL. */
const usualShortUrl = (key: string): string => `https://${key}`;

function textOf(record: Buffer): string {
  const start = HEAD_BYTES + record.readUInt32LE(KEY_LENGTH_AT);
  return record.toString("utf8", start, start + record.readUInt32LE(LINK_LENGTH_AT));
}

const hashOf = (key: string): number => Bun.hash.crc32(key);

/** Returns the length of the record that the bytes begin with. */
const lengthOf = (bytes: Buffer): number =>
  HEAD_BYTES + bytes.readUInt32LE(KEY_LENGTH_AT) + bytes.readUInt32LE(LINK_LENGTH_AT);
