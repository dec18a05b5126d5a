import { type ComponentProps, lazy, Suspense } from "react";
import { WhenSeen } from "./finding";

/** Its borders are the heaviest part of the dashboard, so that they come last. */
const WorldMap = lazy(() => import("./world-map"));

const room = <div className="map-room" />;

export const Countries = (props: ComponentProps<typeof WorldMap>) => (
  <WhenSeen until={room}>
    <Suspense fallback={room}>
      <WorldMap {...props} />
    </Suspense>
  </WhenSeen>
);
