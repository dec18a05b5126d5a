/** Leads from the sign-in page to the single sign-on of an organization. */
import { APP_PATH } from "@/http/app-path";
import { unavailableReasonOf } from "@/platform/db/faults";
import type { Db } from "@/platform/db/tx";
import type { HostDirectory } from "@/platform/hosts/hosts";
import * as store from "./store";

export interface SsoEntryOptions {
  db: Db;
  hosts: HostDirectory;
  config: { baseUrl: string };
}

export type SsoEntry = ReturnType<typeof createSsoEntry>;

/** The screens of one organization are below its slug. */
const SCREENS = `${APP_PATH}/o/`;

export function createSsoEntry({ db, hosts, config }: SsoEntryOptions) {
  return {
    /**
     * Returns where single sign-on starts that leads on to `returnTo`; undefined if neither that path nor the host
     * belongs to an organization that has it. It starts on the service's own host, where it ends in the session's
     * cookie.
     */
    async find({ url }: Request, returnTo = ""): Promise<string | undefined> {
      const slug = returnTo.startsWith(SCREENS)
        ? await enabledSlug(returnTo.slice(SCREENS.length).split(/[/?]/, 1).join())
        : await slugAt(URL.parse(url)?.hostname ?? "");
      return slug === undefined ? undefined : startUrl(slug, returnTo || SCREENS + slug);
    },

    /** Returns where the single sign-on of the organization with this slug starts; undefined if it has none. */
    async findBySlug(slug: string): Promise<string | undefined> {
      return (await enabledSlug(slug)) === undefined ? undefined : startUrl(slug, SCREENS + slug);
    },

    /** Reports whether any organization has single sign-on; false while Postgres cannot say so. */
    async isOffered(): Promise<boolean> {
      try {
        return await store.isAnyEnabled(db);
      } catch (error) {
        if (unavailableReasonOf(error) === null) throw error;
        return false;
      }
    },
  };

  function startUrl(orgSlug: string, returnTo: string): string {
    return `${config.baseUrl}/api/v1/auth/sso/start?${new URLSearchParams({ orgSlug, returnTo })}`;
  }

  async function enabledSlug(slug: string): Promise<string | undefined> {
    return (await store.findEnabledBySlug(db, slug)) && slug;
  }

  /** Returns the slug of the organization whose dashboard the host serves, if it has single sign-on. */
  async function slugAt(hostname: string): Promise<string | undefined> {
    const host = hosts.of(hostname);
    const configuration = host?.isDashboard ? await store.findEnabled(db, host.orgId) : undefined;
    return configuration && store.findSlug(db, configuration.orgId);
  }
}
