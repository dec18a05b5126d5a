/** Ranges and filters drawn at random, with a fixed seed, from what the traffic has. */
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import type { Asked } from "./plain-sql";
import { type Draw, drawsOf, NOW, oneOf, TAGS, type Workspace, whole } from "./traffic";

const VALUES: Record<string, readonly string[]> = {
  ...{ country: ["unknown", "US", "DE"], region: ["unknown"], device: ["mobile", "unknown", "desktop"] },
  ...{ browser: ["Mobile Safari", "unknown"], os: ["iOS", "Android", "Linux"] },
  ...{ language: ["de-AT", "unknown", "en-US"], referrer: ["direct", "news.example.com", "xn--bcher-kva.example"] },
  ...{ utmSource: ["none", "letter", "own"], utmCampaign: ["none", "campaign 1"] },
  ...{ utmTerm: ["other", "none"], utmContent: ["é"] },
  ...{ rule: ["0", "1", "none"], split: ["a", "none"], destination: ["https://example.com/1", "unknown"] },
  tag: TAGS,
};

export function askedOf({ links, bioPageLinkId, domainIds }: Workspace, seed: number) {
  const draw = drawsOf(seed);
  const linkIds = [...links.slice(0, 8).map(({ _id }) => _id), bioPageLinkId];
  const valuesOf = (name: string): readonly string[] =>
    name === "linkId" ? linkIds : name === "domainId" ? domainIds : (VALUES[name] ?? []);

  function filters(): Asked["filters"] {
    const chosen: Asked["filters"] = {};
    for (let left = oneOf(draw, [0, 0, 1, 1, 2, 3]); left > 0; left--) {
      const name = oneOf(draw, [...Object.keys(VALUES), "linkId", "linkId", "domainId"]);
      const values = Array.from({ length: oneOf(draw, [1, 1, 2]) }, () => oneOf(draw, valuesOf(name)));
      chosen[name] = [...new Set(values)];
    }
    return chosen;
  }

  return {
    draw,
    linkIds,
    asked(): Asked {
      const [from, to] = rangeOf(draw);
      return { from, to: Math.max(to, from + 1), includeBots: draw() < 0.3, filters: filters() };
    },
  };
}

function rangeOf(draw: Draw): [from: number, to: number] {
  const length = oneOf(draw, [1, 5, 26, 72, 73, 24 * 8, 24 * 33, 24 * 100, 24 * 400]) * HOUR_MS;
  const to = draw() < 0.4 ? NOW : NOW - whole(draw, length * 2);
  const unit = oneOf(draw, [0, HOUR_MS, DAY_MS]);
  const edge = (time: number) => (unit === 0 ? time : time - (time % unit));
  return [edge(to - length), edge(to) + oneOf(draw, [0, 0, 0, DAY_MS])];
}

export function atFullHours(asked: Asked): Asked {
  const from = asked.from - (asked.from % HOUR_MS);
  return { ...asked, from, to: Math.max(from + HOUR_MS, asked.to - (asked.to % HOUR_MS)) };
}
