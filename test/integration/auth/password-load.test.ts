/** Passwords are slow to check by design: checking many of them for one client must not keep others from signing in. */
import { describe, expect, test } from "bun:test";
import { takeSlowHashes } from "@test/support/accounts/slow-hashes";
import { type Account, CLIENT_HEADER, startTestService } from "@test/support/service";
import { until } from "@test/support/until";

const hashes = takeSlowHashes();
const { call, createLink, register, sql, url, visit } = await startTestService();

const PEOPLE = 15;
const SIGN_INS_EACH = 2;

const signIn = ({ email, password }: Account) => call("POST", "/api/v1/auth/login", { body: { email, password } });

const linksWithPasswords = (count: number) => ({
  links: Array.from({ length: count }, () => ({ defaultUrl: "https://example.com/", password: crypto.randomUUID() })),
});

async function signInsOf(people: Account[]): Promise<number[]> {
  const statuses: number[] = [];
  const oneAfterTheOther = async (person: Account) => {
    for (let count = 0; count < SIGN_INS_EACH; count++) statuses.push((await signIn(person)).status);
  };
  await Promise.all(people.map(oneAfterTheOther));
  return statuses;
}

describe("many password hashes at once", () => {
  test("keep nobody from signing in: seventy bulk creations and seventy guesses at link passwords", async () => {
    const people = await Promise.all(Array.from({ length: PEOPLE }, register));
    const [maker, owner] = await Promise.all([register(), register()]);
    const links = await Promise.all(
      Array.from({ length: 9 }, () => createLink(owner, { defaultUrl: "https://example.com/", password: "a secret" })),
    );
    const bulkCreations = Array.from({ length: 70 }, () =>
      call("POST", `/api/v1/organizations/${maker.orgId}/links/bulk`, {
        token: maker.token,
        body: linksWithPasswords(1),
      }),
    );
    const guesses = Array.from({ length: 70 }, (_, count) =>
      visit(`/${links[count % links.length]?.slug}?pw=guess-${count}`, { [CLIENT_HEADER]: `10.77.0.${count % 2}` }),
    );
    const statuses = await signInsOf(people);
    expect(statuses.filter((status) => status === 200)).toHaveLength(PEOPLE * SIGN_INS_EACH);
    for (const { status } of await Promise.all(bulkCreations)) expect(status).toBe(200);
    for (const { status } of await Promise.all(guesses)) expect([403, 429]).toContain(status);
  }, 240_000);

  test("stop when the client disconnects, and none of its links are created", async () => {
    const maker = await register();
    const leaving = new AbortController();
    const abandoned = fetch(`${url}/api/v1/organizations/${maker.orgId}/links/bulk`, {
      method: "POST",
      headers: { authorization: `Bearer ${maker.token}`, "content-type": "application/json" },
      body: JSON.stringify(linksWithPasswords(100)),
      signal: leaving.signal,
    });
    const before = hashes.made();
    await until(() => hashes.made() >= before + 2);
    leaving.abort();
    expect(abandoned).rejects.toThrow();
    // Hashes that were in progress finish in the meantime.
    for (let count = 0; count < 3; count++) expect((await signIn(maker)).status).toBe(200);
    const made = hashes.made() - before;
    expect(made).toBeLessThan(100);
    for (let count = 0; count < 3; count++) expect((await signIn(maker)).status).toBe(200);
    expect(hashes.made() - before).toBe(made);
    expect(await sql`select 1 from links where org_id = ${maker.orgId}`).toHaveLength(0);
  }, 240_000);
});
