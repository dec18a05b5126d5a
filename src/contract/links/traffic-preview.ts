/** What unsaved rules would do with the actual clicks of a link. */
import { type Static, Type } from "@sinclair/typebox";
import { instant, integer, nullable, oneOf, optional, shape, withExample } from "../schema";
import { LinkUpdate, RouteKind } from "./links";

export const TRAFFIC_DAYS = { max: 30, default: 7 } as const;

export const TrafficPreviewInput = shape(
  {
    link: optional({
      ...LinkUpdate,
      $id: undefined,
      description: "Changes that are not saved; without any, the link is evaluated as it is",
    }),
    days: optional(integer(1, TRAFFIC_DAYS.max, `Days to look back; defaults to ${TRAFFIC_DAYS.default}`)),
  },
  { $id: "TrafficPreviewInput", examples: [{ link: { rules: [] }, days: 7 }] },
);
export type TrafficPreviewInput = Static<typeof TrafficPreviewInput>;

const count = withExample(412, Type.Integer({ minimum: 0, description: "Number of evaluated clicks" }));
const share = withExample(
  0.34,
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: "Share of all clicks in the range. In a sample each stretch of time weighs as much as it has clicks",
  }),
);

export const TrafficPreview = shape(
  {
    range: shape({ from: instant("Inclusive"), to: instant("Exclusive: the end of the current hour") }),
    clicks: withExample(
      51_230,
      Type.Integer({ minimum: 0, description: "Clicks by people in the range, without bots" }),
    ),
    evaluated: withExample(2_000, Type.Integer({ minimum: 0, description: "How many of them were evaluated" })),
    method: oneOf(
      ["none", "all", "sample"],
      "`none`: no click to evaluate; `all`: every click; `sample`: a part that is spread over the range",
    ),
    marginOfError: withExample(
      0.022,
      Type.Number({
        description: "Half the width of a share's 95% interval, at most; 0 if all clicks were evaluated",
      }),
    ),
    outcomes: Type.Array(
      shape({
        kind: RouteKind,
        ruleIndex: withExample(0, nullable(Type.Integer({ description: "Position in the link's rules" }))),
        splitKey: withExample(null, nullable(Type.String())),
        count,
        share,
      }),
      { description: "Every rule, every split target, the app's store and the default destination, each once" },
    ),
    unknown: shape(
      { count, share },
      {
        description:
          "Clicks for which too little is stored: only the query parameters and networks that the rules of their time checked",
      },
    ),
  },
  { $id: "TrafficPreview" },
);
export type TrafficPreview = Static<typeof TrafficPreview>;
