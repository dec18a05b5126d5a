/** Finds domains that are not verified although people visit their links: these turn everyone away. */
import { number, plural } from "@/core/plural";
import { daysSince, turnedAwaySummary } from "./broken-ends";
import { type BrokenFinding, type BrokenQuestion, clicksADay, type ExaminedLink, severityForLoss } from "./fault";

/** `links` are those of the domain that were examined. */
export function unverifiedDomain(
  hostname: string,
  links: readonly ExaminedLink[],
  question: BrokenQuestion,
): BrokenFinding[] {
  const turned = links.flatMap(({ refused }) => refused.filter(({ reason }) => reason === "domain_unverified"));
  const count = turned.reduce((sum, each) => sum + each.count, 0);
  const lost = turnedAwaySummary(
    { count, lastAt: Math.max(0, ...turned.map(({ lastAt }) => lastAt)) },
    daysSince(question),
  );
  const usual = links.reduce((sum, each) => sum + clicksADay(each, question), 0);
  const lostADay = Math.max(lost.aDay, usual);
  if (lostADay === 0) return [];
  return [
    {
      type: "unverified_domain",
      severity: severityForLoss(lostADay),
      lostADay,
      title: `${hostname} is not verified, so its links turn everyone away`,
      summary: `That costs about ${plural(Math.ceil(lostADay), "visit")} a day.`,
      recommendation: "Create the DNS records that the domain's `configuration` shows, then verify the domain.",
      evidence: [
        "Its links return 404 until it is verified",
        ...(count > 0 ? [lost.evidence] : []),
        `${number(usual)} clicks a day over the last 7 whole days, of ${plural(links.length, "link")} checked`,
      ],
    },
  ];
}
