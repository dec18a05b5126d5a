/**
 * Restores an archive of an organization into a database that has none of it, in one transaction, so that it is there
 * completely or not at all. IDs stay the same. Accounts are found by their ID or else their e-mail address, and created
 * without a password if there is none. An account that was asked to confirm its address and has not may be anybody's:
 * whoever is in the archive with that address stays without an account and a place in the organization. What was on the
 * old server's shared domain is on this server's afterwards.
 *
 * Not restored: keys, tokens, webhooks and passwords, whose secrets never leave a service, and figures, which are
 * counted anew, or else become former clicks.
 */
import type { Sql, TransactionSql } from "postgres";
import { TarFault, tarFiles } from "@/core/archive/tar";
import { emailSpellings } from "../hosts/email-address";
import { announceRestored } from "../link-cache/changes";
import { restoreExpiredDays } from "./expired-days";
import { LateChanges } from "./late-changes";
import { makeRoomForDomains, makeRoomForLinks } from "./make-room";
import { leadToShownItems } from "./page-items";
import { ArchiveFault, type Manifest, manifestOf, rowOf } from "./records";
import { type ArchivedTable, archivedTables, EXPIRED_DAYS } from "./tables";
import { takenAddresses } from "./taken-addresses";
import { UnknownParts } from "./unknown-parts";
import { turnOffUnlocked } from "./unlocked-links";
import type { ExpiredClicks } from "./write";

export interface ArchiveOutcome {
  orgId: string;
  slug: string;
  restored: Record<string, number>;
  /** Rows that could not be restored, by table. */
  leftOut: Record<string, number>;
  /** What a version that this one does not know has added to archives. */
  unknown: string[];
  /** Addresses of members whose place went to an account that was found by the address alone. */
  matchedEmails: string[];
  /** Addresses of members that are left out, because the account here with that address has not confirmed it. */
  unconfirmedEmails: string[];
  /** Hosts of domains that are no longer verified, because somebody else here has verified them. */
  unverifiedHosts: string[];
  /** Addresses of links and bio pages that are left out, because others have them here. */
  takenAddresses: string[];
  /** Addresses of links that are turned off, because the archive does not contain their passwords. */
  unlockedLinks: string[];
  /** Clicks that the archive does not contain one by one. */
  expiredClicks: ExpiredClicks | undefined;
  /** How many of these are former clicks of the restored links. */
  formerClicks: number;
}

/** Throws `ArchiveFault` if the archive cannot be restored; nothing has changed then. */
export async function readArchive(sql: Sql, archive: AsyncIterable<Uint8Array>): Promise<ArchiveOutcome> {
  try {
    return await sql.begin((tx) => new ArchiveReader(tx).read(archive));
  } catch (error) {
    throw error instanceof TarFault ? new ArchiveFault(error.message) : error;
  }
}

interface KnownAccount {
  id: string;
  email: string;
  isUnconfirmed: boolean;
}

class ArchiveReader {
  readonly #tx: TransactionSql;
  readonly #restored: Record<string, number> = {};
  readonly #leftOut: Record<string, number> = {};
  readonly #unknown = new UnknownParts();
  /** Maps IDs of the old server to those that replace them here. */
  readonly #renamed = new Map<string, string>();
  readonly #matchedEmails: string[] = [];
  readonly #unverifiedHosts: string[] = [];
  readonly #takenAddresses: string[] = [];
  /** Addresses of the accounts that were here already, by ID here. */
  readonly #addresses = new Map<string, string>();
  /** Addresses by ID of the old server. */
  readonly #unconfirmed = new Map<string, string>();
  #manifest: Manifest | undefined;
  readonly #late: LateChanges;
  #slug = "";
  #formerClicks = 0;

  constructor(tx: TransactionSql) {
    this.#tx = tx;
    this.#late = new LateChanges(tx);
  }

  async read(archive: AsyncIterable<Uint8Array>): Promise<ArchiveOutcome> {
    for await (const { name, content } of tarFiles(archive)) {
      const text = new TextDecoder().decode(content);
      if (name === "manifest.json") await this.#begin(text);
      const [, table] = /^tables\/(\w+)\/\d+\.jsonl$/.exec(name) ?? [];
      const found = archivedTables.find((each) => each.name === table);
      const lines = text.trimEnd().split("\n");
      if (found) await this.#readTable(found, lines);
      else if (EXPIRED_FILE.test(name)) await this.#readExpired(lines);
      else this.#unknown.noteFile(name, table, lines.length);
    }
    const { organizationId: orgId, expiredClicks } = this.#known();
    if (this.#slug === "") throw new ArchiveFault("The archive contains no organization");
    const unlockedLinks = await turnOffUnlocked(this.#tx, orgId);
    await leadToShownItems(this.#tx, orgId);
    await this.#late.continueAfter(orgId);
    await announceRestored(this.#tx, orgId);
    return {
      ...{ orgId, slug: this.#slug, restored: this.#restored, leftOut: this.#leftOut },
      unknown: this.#unknown.list(),
      ...{ matchedEmails: this.#matchedEmails, unconfirmedEmails: [...this.#unconfirmed.values()] },
      ...{ unverifiedHosts: this.#unverifiedHosts, takenAddresses: this.#takenAddresses },
      ...{ unlockedLinks, expiredClicks, formerClicks: this.#formerClicks },
    };
  }

  async #begin(text: string): Promise<void> {
    this.#manifest = manifestOf(text);
    const { organizationId, sharedDomainId } = this.#manifest;
    const tx = this.#tx;
    const known = await tx`select 1 from organizations where id::text = ${organizationId}`;
    if (known.length > 0) throw new ArchiveFault(existsAlready(organizationId));
    const [shared] = await tx<{ id: string }[]>`select id from domains where org_id is null`;
    if (sharedDomainId && shared) this.#renamed.set(sharedDomainId, shared.id);
  }

  #known(): Manifest {
    if (!this.#manifest) throw new ArchiveFault("This is not an archive of an organization");
    return this.#manifest;
  }

  async #readTable(table: ArchivedTable, lines: string[]): Promise<void> {
    this.#known();
    this.#unknown.noteColumns(table.name, rowOf(lines[0] ?? "{}"));
    if (!table.isRestored) count(this.#leftOut, table.name, lines.length);
    else if (table.name === "users") await this.#readAccounts(lines);
    else await this.#insert(table, await this.#prepared(table.name, lines));
  }

  async #readExpired(lines: string[]): Promise<void> {
    this.#formerClicks += await restoreExpiredDays(this.#tx, this.#known().organizationId, lines);
  }

  /** Returns the lines with what has to differ here changed. */
  async #prepared(table: string, lines: string[]): Promise<string[]> {
    switch (table) {
      case "organizations":
        return Promise.all(lines.map((line) => this.#organization(line)));
      case "memberships":
      case "sso_identities":
        return lines.filter((line) => this.#hasAccount(line)).map((line) => this.#withRenamed(line));
      case "link_revisions":
        return this.#late.leaveOut(lines.map((line) => this.#withRenamed(line)));
      case "domains":
        return Promise.all(lines.map((line) => this.#domain(line)));
      case "audit_logs":
        return lines.map((line) => this.#auditEntry(this.#withRenamed(line)));
      default:
        return lines.map((line) => this.#withRenamed(line));
    }
  }

  /** Entries are found by the address of their actor's account. */
  #auditEntry(line: string): string {
    if (this.#addresses.size === 0) return line;
    const row = rowOf(line);
    const address = this.#addresses.get(String(row.actor_id));
    return address === undefined ? line : JSON.stringify({ ...row, actor_email: address });
  }

  async #organization(line: string): Promise<string> {
    const row = rowOf(line);
    const slug = String(row.slug);
    const taken = await this.#tx`select 1 from organizations where slug = ${slug}`;
    this.#slug = taken.length > 0 ? `${slug}-${String(row.id).slice(-6)}` : slug;
    return JSON.stringify({ ...row, slug: this.#slug });
  }

  /** A host that another organization has verified stays theirs, and is unverified here. */
  async #domain(line: string): Promise<string> {
    const row = rowOf(line);
    const { organizationId } = this.#known();
    const taken = await this.#tx`
      select 1 from domains
      where is_verified and hostname = ${String(row.hostname)} and org_id is distinct from ${organizationId}`;
    if (taken.length === 0) return line;
    if (row.is_verified === true) this.#unverifiedHosts.push(String(row.hostname));
    return JSON.stringify({ ...row, is_verified: false, is_primary: false });
  }

  /**
   * An account with the same ID is the same person, whatever their address is now, and has precedence: whoever has the
   * archived address meanwhile is somebody else. Accounts that are here already are never changed.
   */
  async #readAccounts(lines: string[]): Promise<void> {
    for (const line of lines) {
      const { id, email, name, created_at } = rowOf(line);
      const [known] = await this.#tx<KnownAccount[]>`
        select id, email, address_held_until is not null as "isUnconfirmed" from users
        where id = ${String(id)} or email = any(${emailSpellings(String(email))})
        order by id = ${String(id)} desc, email = ${String(email)} desc limit 1`;
      if (known) this.#useAccount({ id: String(id), email: String(email) }, known);
      else {
        await this.#tx`
          insert into users (id, email, name, created_at)
          values (${String(id)}, ${String(email)}, ${String(name)}, ${String(created_at)})`;
        count(this.#restored, "users", 1);
      }
    }
  }

  #useAccount({ id, email }: { id: string; email: string }, known: KnownAccount): void {
    if (known.id !== id) {
      // Anyone can register the address of somebody else, and would get that person's place.
      if (known.isUnconfirmed) return void this.#unconfirmed.set(id, email);
      this.#renamed.set(id, known.id);
      this.#matchedEmails.push(email);
    }
    this.#addresses.set(known.id, known.email);
  }

  #hasAccount(line: string): boolean {
    const { user_id: userId } = rowOf(line);
    return typeof userId !== "string" || !this.#unconfirmed.has(userId);
  }

  /** Any table may name a domain or an account: a link's history has its domain, by which clicks are counted. */
  #withRenamed(line: string): string {
    let text = line;
    for (const [from, to] of this.#renamed) text = text.replaceAll(from, to);
    return text;
  }

  async #insert(table: ArchivedTable, lines: string[]): Promise<void> {
    if (lines.length === 0) return;
    let inserted = await this.#insertFree(table, lines);
    const makeRoom = MAKE_ROOM[table.name];
    if (makeRoom && inserted < lines.length) {
      await makeRoom(this.#tx, this.#known().organizationId, lines);
      inserted += await this.#insertFree(table, lines);
    }
    count(this.#restored, table.name, inserted);
    if (inserted === lines.length) return;
    count(this.#leftOut, table.name, lines.length - inserted);
    if (table.name === "links") this.#takenAddresses.push(...(await takenAddresses(this.#tx, lines)));
  }

  /** Leaves out rows that something here excludes. Returns how many it inserted. */
  async #insertFree({ name, columns, parents }: ArchivedTable, lines: string[]): Promise<number> {
    const tx = this.#tx;
    const given = new Set(Object.keys(rowOf(lines[0] ?? "{}")));
    const names = columns.filter((column) => given.has(column));
    const { organizationId } = this.#known();
    const own = columns.includes("org_id") ? tx`row.org_id = ${organizationId}` : tx`row.id = ${organizationId}`;
    const there = parents.map(
      ({ column, table, key }) => tx`
        and (${tx(`row.${column}`)} is null
          or exists (select 1 from ${tx(table)} as parent where ${tx(`parent.${key}`)} = ${tx(`row.${column}`)}))`,
    );
    const { count: inserted } = await tx`
      insert into ${tx(name)} (${tx(names)})
      select ${tx(names.map((column) => `row.${column}`))}
      from jsonb_populate_recordset(null::${tx(name)}, ${`[${lines.join(",")}]`}::text::jsonb) as row
      where ${own} ${there.reduce((all, one) => tx`${all} ${one}`, tx``)} on conflict do nothing`;
    return inserted;
  }
}

const EXPIRED_FILE = new RegExp(`^${EXPIRED_DAYS}/\\d+\\.jsonl$`);

/** Rows of these tables may exclude later ones of the same archive. */
const MAKE_ROOM: Record<string, typeof makeRoomForLinks> = { domains: makeRoomForDomains, links: makeRoomForLinks };

/** A command that is stopped before it has recounted leaves an organization without figures. */
const existsAlready = (organizationId: string): string =>
  "This organization already exists on this server. If an import was stopped before it had recounted the figures, run: " +
  `bun run admin verify-rollups --org ${organizationId} --mend`;

function count(counts: Record<string, number>, name: string, rows: number): void {
  counts[name] = (counts[name] ?? 0) + rows;
}
