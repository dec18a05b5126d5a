/**
 * Packed links by address, off the heap: a tenth of a compiled link's memory, nothing that the garbage collector looks at or
 * goes by, and some microseconds until one serves again instead of a way to Redis or Postgres.
 *
 * Records are appended to chunks of one size; when the bound in bytes is reached, the oldest chunk goes, and those of its
 * records that were asked for since they were written are written again (second chance). What is replaced or deleted
 * leaves its bytes behind until its chunk goes. A crash loses nothing that cannot be loaded again.
 */
import type { LinkDefinition } from "@/core/routing/link";
import { packLink, unpackLink } from "@/core/routing/packed-link";
import { allocateBlock, type Block } from "./off-heap";
import { readUuid, UUID_BYTES, writeUuid } from "./packed-uuid";
import { SlabIndex } from "./slab-index";

const CHUNK_BYTES = 1024 * 1024;

/**
 * A record: both texts' lengths, the key's hash, whether it was asked for, its weight, when it was loaded, the ids of the link and
 * its organization; then the texts. Where an id is no UUID, its bytes say nothing, and the link's text has it.
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
  /** What it takes when it is ready to be served. */
  bytes: number;
}

interface Place {
  chunk: Block;
  offset: number;
}

/** What is read of a record at once: for most the whole. */
const GLANCE_BYTES = 1_024;

const USED = Buffer.from([1, 0, 0, 0]);

export class PackedLinks {
  readonly #bytesMax: number;
  readonly #index = new SlabIndex();
  /** By number; each is one higher than that of the chunk before. */
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

  /** Nothing is kept where the bound is nought, nor a link that takes more than a chunk. */
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
    // Behind the last record are noughts: a key without a length.
    while (offset + HEAD_BYTES <= CHUNK_BYTES && chunk.readUInt32LE(offset + KEY_LENGTH_AT) > 0) {
      const record = chunk.subarray(offset, offset + lengthOf(chunk.subarray(offset)));
      const isLive = this.#index.remove(record.readUInt32LE(HASH_AT), number * CHUNK_BYTES + offset);
      if (isLive && record.readUInt32LE(IS_USED_AT) === 1) this.#writeAgain(record);
      offset += record.length;
    }
  }

  /** Where the chunk that was begun has no room for it any more, it goes: one chunk makes room for one. */
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

  /** A copy, until the next one is looked at. */
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

/** That of most links. */
const usualShortUrl = (key: string): string => `https://${key}`;

function textOf(record: Buffer): string {
  const start = HEAD_BYTES + record.readUInt32LE(KEY_LENGTH_AT);
  return record.toString("utf8", start, start + record.readUInt32LE(LINK_LENGTH_AT));
}

const hashOf = (key: string): number => Bun.hash.crc32(key);

/** It begins with the record. */
const lengthOf = (bytes: Buffer): number =>
  HEAD_BYTES + bytes.readUInt32LE(KEY_LENGTH_AT) + bytes.readUInt32LE(LINK_LENGTH_AT);
