/**
 * The newest versions of links and organizations that changes have announced; nothing older is cached. Bounded: a
 * version that is evicted counts as never announced. A crash loses nothing that a load does not bring back.
 */
import type { LinkDefinition } from "@/core/routing/link";
import { createBoundedMap } from "../bounded-map";

const KNOWN_VERSIONS_MAX = 100_000;

export class KnownVersions {
  /**
   * Number of organization changes seen. An entry checked against the same number need not look up its own
   * organization.
   */
  organizationChanges = 0;
  readonly #links = createBoundedMap<string, number>(KNOWN_VERSIONS_MAX);
  readonly #organizations = createBoundedMap<string, number>(KNOWN_VERSIONS_MAX);

  seeLink(id: string, version: number): void {
    this.#links.set(id, Math.max(version, this.#links.get(id) ?? 0));
  }

  seeOrganization(id: string, version: number): void {
    this.#organizations.set(id, Math.max(version, this.#organizations.get(id) ?? 0));
    this.organizationChanges++;
  }

  isCurrent(definition: LinkDefinition): boolean {
    return definition.version >= (this.#links.get(definition.id) ?? 0) && this.isOrganizationCurrent(definition);
  }

  isOrganizationCurrent({ orgId, orgVersion }: Pick<LinkDefinition, "orgId" | "orgVersion">): boolean {
    return orgVersion >= (this.#organizations.get(orgId) ?? 0);
  }

  forget(): void {
    this.#links.clear();
    this.#organizations.clear();
  }
}
