/**
 * Registers spools in Postgres, and retries until it succeeds. A spool that turns out to be a copy continues under a
 * new id.
 */
import type { Position } from "../spool/segment-reader";
import { newClaim, readClaim, SPOOL_START, writeClaim } from "../spool/spool-claim";
import type { ClickDatabase } from "./click-database";
import { registerSpool, type SpoolRegistration } from "./registration";

export interface RegistrarOptions {
  database: ClickDatabase;
  retry<Result>(attempt: () => Promise<Result>): Promise<Result>;
  onCopy(fields: { spoolId: string; newId: string }): void;
}

export class Registrar {
  readonly #options: RegistrarOptions;

  constructor(options: RegistrarOptions) {
    this.#options = options;
  }

  /** `reached` is how far Postgres had this folder when this process last owned it; absent if unknown. */
  async register(
    folder: string,
    reached?: Position,
    claim = readClaim(folder),
  ): Promise<SpoolRegistration & { isOurs: true }> {
    const { database, retry, onCopy } = this.#options;
    const registration = await retry(() => database.inTime(() => registerSpool(database, claim)));
    if (registration.isOurs) {
      if (!claim.isRegistered) writeClaim(folder, { ...claim, isRegistered: true });
      return registration;
    }
    const copy = { ...newClaim(Bun.randomUUIDv7(), reached ?? SPOOL_START), database: claim.database };
    writeClaim(folder, copy);
    onCopy({ spoolId: claim.id, newId: copy.id });
    return this.register(folder, reached, copy);
  }
}
