import { type ComponentProps, lazy } from "react";
import { Part } from "../part";
import { WhenSeen } from "./finding";

/** Its borders are the heaviest part of the dashboard, so that they come last. */
const WorldMap = lazy(() => import("./world-map"));

const room = <div className="map-room" />;

export const Countries = (props: ComponentProps<typeof WorldMap>) => (
  <WhenSeen until={room}>
    <Part waiting={room}>
      <WorldMap {...props} />
    </Part>
  </WhenSeen>
);
