/** Describes links through the link service, for readers that list links with their figures. */
import type { TestDatabase } from "@test/support/servers/postgres";
import type { DescribeLinks } from "@/modules/analytics/top-links";
import { createLinkService } from "@/modules/links/service";
import { shortUrls } from "@/platform/link-cache/short-urls";
import { routingChanges } from "@/platform/routing-changes";
import { NOW } from "./workspace";

export function describedLinks({ db }: TestDatabase): DescribeLinks {
  const plans = {
    room(): Promise<never> {
      throw new Error("Nothing is made");
    },
  };
  const safety = { judgeLocally: () => ({}), noteChange: async () => {}, enqueueCheck() {} };
  const links = createLinkService({
    db,
    clock: () => NOW,
    shortUrlOf: shortUrls("https://wm.test"),
    announce: async () => {},
    changeRouting: routingChanges(
      db,
      async () => {},
      () => {},
    ),
    plans,
    safety,
  });
  return links.findIncludingDeleted;
}
