import { ArrowRight, Ban } from "lucide-react";
import { Notice } from "@/dashboard/ui/data";
import { Stack, Text } from "@/dashboard/ui/layout";
import { decodedUrl } from "@/dashboard/ui/readable-url";
import type { Outcome } from "./queries";
import { linkRouteWords as words } from "./words";

/** Where the visitor goes and why, or why the visitor is turned away. */
export function OutcomeText({ outcome: { route, blockers, blockedUrl } }: { outcome: Outcome }) {
  const { simulator } = words.route;
  return (
    <Stack gap={2}>
      {blockers.length > 0 ? (
        <Notice tone="bad" icon={Ban}>
          <Text strong>{simulator.blocked}</Text>
          <ul>
            {blockers.map((blocker) => (
              <li key={blocker}>{words.links.blockers[blocker]}</li>
            ))}
          </ul>
          {blockedUrl ? <Text>{simulator.sentInstead(decodedUrl(blockedUrl))}</Text> : null}
        </Notice>
      ) : null}
      <Notice tone={blockers.length > 0 ? undefined : "good"} icon={ArrowRight}>
        <Text small>{simulator.goesTo}</Text>
        <Text strong foreign>
          {decodedUrl(route.destinationUrl)}
        </Text>
        <Text small>{reasonOf(route)}</Text>
        {route.storeSkipped && route.kind === "default" && route.storeSkipped.reason !== "no_app" ? (
          <Text small>{route.storeSkipped.note}</Text>
        ) : null}
      </Notice>
    </Stack>
  );
}

function reasonOf({ kind, ruleIndex, splitKey }: Outcome["route"]): string {
  const { simulator, rule } = words.route;
  if (kind === "rule") return simulator.by.rule(rule((ruleIndex ?? 0) + 1));
  if (kind === "split") return simulator.by.split(splitKey ?? "");
  return simulator.by[kind];
}
