/** Leads as CSV: each exactly once, in the columns of the form's current and former fields. */
import { describe, expect, test } from "bun:test";
import { type LeadDraft, leadsIn } from "@test/support/leads";
import { startTestService } from "@test/support/service";
import type { LeadCapture } from "@/contract/links/link-pages";
import type { Link } from "@/contract/links/links";
import { exportLeads } from "@/modules/leads/export";
import type { LeadRow } from "@/modules/leads/store";

const service = await startTestService();
const leaveIn = leadsIn(service.databaseUrl);
const account = await service.register();
const { token, orgId } = account;
const AT = Date.parse("2026-11-10T09:00:00.000Z");

async function linkWith(leadCapture?: LeadCapture, slug?: string) {
  const link = await service.createLink(account, { defaultUrl: "https://example.com/", leadCapture, slug });
  return {
    link,
    leave: (draft: Partial<LeadDraft>) => leaveIn({ orgId, linkId: link._id, at: AT, ...draft }),
    download: () =>
      service.call<string>("GET", `/api/v1/organizations/${orgId}/links/${link._id}/leads/export.csv`, { token }),
  };
}
const VISITOR = "9f3c1e0b7a25d486";

describe("an export", () => {
  test("has the form's columns if there are no leads", async () => {
    const { download } = await linkWith(
      { fields: [{ name: "name" }, { name: "email" }], consentText: "May we?" },
      "none",
    );
    const { status, headers, body } = await download();
    expect({ status, body }).toEqual({ status: 200, body: "createdAt,visitorId,name,email,consent\r\n" });
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="leads-none.csv"');
  });

  test("has no field columns if the link never had a form", async () => {
    expect((await (await linkWith()).download()).body).toBe("createdAt,visitorId\r\n");
  });

  test("has the form's fields in order, then former ones by name, with empty cells for missing values", async () => {
    const { leave, download } = await linkWith({ fields: [{ name: "name" }, { name: "email" }] });
    await leave({ at: AT, fields: { zip: "1010", email: "a@example.com", Age: "36" } });
    await leave({ at: AT + 1, fields: { name: "Ada", email: "b@example.com" } });
    expect((await download()).body.split("\r\n")).toEqual([
      "createdAt,visitorId,name,email,Age,zip",
      `2026-11-10T09:00:00.001Z,${VISITOR},Ada,b@example.com,,`,
      `2026-11-10T09:00:00.000Z,${VISITOR},,a@example.com,36,1010`,
      "",
    ]);
  });

  test("quotes where necessary and starts no formula, in values and column names", async () => {
    const { leave, download } = await linkWith({ fields: [{ name: "=name" }, { name: 'a "b", c' }] });
    await leave({ fields: { "=name": "=HYPERLINK(1)", 'a "b", c': 'say "hi"\n, you', __proto__x: "@x" } });
    await leave({ at: AT - 1, fields: { "=name": "+43 1", 'a "b", c': "-1" } });
    expect((await download()).body).toBe(
      `createdAt,visitorId,'=name,"a ""b"", c",__proto__x\r\n` +
        `2026-11-10T09:00:00.000Z,${VISITOR},'=HYPERLINK(1),"say ""hi""\n, you",'@x\r\n` +
        `2026-11-10T08:59:59.999Z,${VISITOR},'+43 1,'-1,\r\n`,
    );
  });

  test("has only the link's own leads, and supports field names such as __proto__", async () => {
    const [{ leave, download }, other] = [await linkWith(), await linkWith()];
    await other.leave({ fields: { other: "1" } });
    await leave({ fields: JSON.parse('{"constructor": "a", "__proto__": "b"}') });
    await leave({ at: AT - 1, fields: { toString: "c" } });
    expect((await download()).body).toBe(
      "createdAt,visitorId,__proto__,constructor,toString\r\n" +
        `2026-11-10T09:00:00.000Z,${VISITOR},b,a,\r\n2026-11-10T08:59:59.999Z,${VISITOR},,,c\r\n`,
    );
  });

  test("has each of thousands of leads once, newest first, even if many share a millisecond", async () => {
    const { link, download } = await linkWith();
    await service.sql`
      insert into leads (id, org_id, link_id, click_id, visitor_id, fields, created_at)
      select gen_random_uuid(), ${orgId}, ${link._id}, gen_random_uuid(), ${VISITOR}, jsonb_build_object('n', n::text),
        ${new Date(AT)}::timestamptz + (n / 700) * interval '1 millisecond' from generate_series(0, 2099) as n`;
    const rows = (await download()).body.trimEnd().split("\r\n").slice(1);
    const instants = rows.map((row) => row.split(",")[0]);
    expect(instants).toEqual(instants.toSorted().toReversed());
    expect(rows.map((row) => Number(row.split(",")[2])).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 2100 }, (_, n) => n),
    );
  });
});

describe("the rows of an export", () => {
  const row = (index: number): LeadRow => ({
    ...{ id: `${index}`, orgId, linkId: "", clickId: "", visitorId: "a", fields: {} },
    ...{ createdAt: new Date(AT - index), verdict: null, isBot: false },
  });
  const linkOf = async (): Promise<Link> => (await linkWith()).link;

  const taken = async (fields: LeadRow["fields"], chunksMax: number) => {
    const asked: { after?: string; limit: number }[] = [];
    const { chunks } = exportLeads(await linkOf(), [], async (after, limit) => {
      asked.push({ after: after?.id, limit });
      return Array.from({ length: limit }, (_, index) => ({ ...row(Number(after?.id ?? -1) + 1 + index), fields }));
    });
    let [rows, count] = [0, 0];
    for await (const chunk of chunks) {
      rows += chunk.length;
      expect(asked.reduce((sum, { limit }) => sum + limit, 0)).toBe(rows);
      if (++count === chunksMax) break;
    }
    return asked;
  };

  test("are read in chunks, each after the previous one, and only as far as they are consumed", async () => {
    const [first, second, third, ...more] = await taken({ name: "Ada" }, 3);
    expect([first?.after, more]).toEqual([undefined, []]);
    expect(second?.after).toBe(`${(first?.limit ?? 0) - 1}`);
    expect(third?.after).toBe(`${(first?.limit ?? 0) + (second?.limit ?? 0) - 1}`);
  });

  test("are read in larger chunks if they are short, and in smaller ones if they are long", async () => {
    const limits = async (length: number) => (await taken({ text: "a".repeat(length) }, 2)).map(({ limit }) => limit);
    expect(await limits(10)).toEqual([100, 200]);
    expect(await limits(50_000)).toEqual([100, 19]);
  });
});
