/** The measured data: an organization with realistic links. */
import type { AuthSession } from "@/contract/accounts/auth";
import type { LinkInput } from "@/contract/links/links";
import type { LinkDefinition } from "@/core/routing/link";
import { USUAL_LINK } from "@/core/routing/packed-link";
import { post } from "./requests";

export const LINKS = 100;
export const PATHS = Array.from({ length: LINKS }, (_, index) => `/bench-${index}`);

/** Returns a link with UTM and three rules, which need the user agent, the languages and geography. */
const linkInput = (index: number) =>
  ({
    slug: `bench-${index}`,
    title: `Bench ${index}`,
    defaultUrl: `https://example.com/landing/${index}`,
    rules: [
      {
        priority: 1,
        destinationUrl: "https://example.com/nz",
        conditions: { countries: ["NZ"], cities: ["Wellington"] },
      },
      {
        priority: 2,
        destinationUrl: "https://example.com/ios-old",
        conditions: { platform: ["ios" as const], maxOsVersion: "12" },
      },
      {
        priority: 3,
        destinationUrl: "https://example.com/fr",
        conditions: { languages: ["fr"], deviceTypes: ["mobile"] },
      },
    ],
    utm: { source: "bench", medium: "load", campaign: `c${index}` },
  }) satisfies LinkInput;

/** Returns the same link in the form that the edge uses. */
export const linkDefinition = (index: number): LinkDefinition => {
  const { title, defaultUrl, rules, utm } = linkInput(index);
  return {
    ...USUAL_LINK,
    id: Bun.randomUUIDv7(),
    number: index,
    version: 1,
    orgId: "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0f",
    shortUrl: `http://localhost/bench-${index}`,
    title,
    defaultUrl,
    rules,
    utm,
  };
};

export async function createLinks(origin: string): Promise<void> {
  const session = await post<AuthSession>(`${origin}/api/v1/auth/register`, {
    name: "Bench",
    email: `bench-${crypto.randomUUID()}@example.com`,
    password: crypto.randomUUID(),
    organizationName: "Bench",
  });
  const orgId = session.organizations[0]?._id;
  for (let index = 0; index < LINKS; index++) {
    await post(`${origin}/api/v1/organizations/${orgId}/links`, linkInput(index), session.token);
  }
}
