import type { ComponentProps } from "react";
import { lazyPart, Part } from "../part";
import { RenderOnceVisible } from "./finding";

/** Loaded last, because its borders are the largest part of the dashboard. */
const WorldMap = lazyPart(() => import("./world-map"));

const room = <div className="map-room" />;

export const Countries = (props: ComponentProps<typeof WorldMap>) => (
  <RenderOnceVisible name="map" until={room}>
    <Part waiting={room}>
      <WorldMap {...props} />
    </Part>
  </RenderOnceVisible>
);
