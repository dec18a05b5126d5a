/** The screens of an organization; the side bar, the palette and the router use this list. */
import {
  Activity,
  AppWindow,
  ChartColumn,
  CodeXml,
  Globe,
  Link2,
  type LucideIcon,
  PanelTop,
  Settings,
  ShieldQuestion,
} from "lucide-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { Words } from "../words";
import type { OrgRole } from "./session";

export interface ScreenEntry {
  /** Name of its text. */
  name: keyof Words["screens"];
  /** Path relative to the organization. */
  path: string;
  /** Route pattern, which also matches the pages below the screen. */
  pattern: string;
  icon: LucideIcon;
  /** Minimum role; the screen is hidden from others. */
  role: OrgRole;
  Screen: LazyExoticComponent<ComponentType>;
}

export const SCREENS: readonly ScreenEntry[] = [
  {
    name: "links",
    path: "/links",
    pattern: "/links/*?",
    icon: Link2,
    role: "viewer",
    Screen: lazy(() => import("../links/screen")),
  },
  {
    name: "analytics",
    path: "/analytics",
    pattern: "/analytics",
    icon: ChartColumn,
    role: "viewer",
    Screen: lazy(() => import("../analytics/screen")),
  },
  {
    name: "live",
    path: "/live",
    pattern: "/live/*?",
    icon: Activity,
    role: "viewer",
    Screen: lazy(() => import("../live/screen")),
  },
  {
    name: "review",
    path: "/review",
    pattern: "/review/*?",
    icon: ShieldQuestion,
    role: "member",
    Screen: lazy(() => import("../review/screen")),
  },
  {
    name: "pages",
    path: "/pages",
    pattern: "/pages/*?",
    icon: PanelTop,
    role: "viewer",
    Screen: lazy(() => import("../pages/screen")),
  },
  {
    name: "domains",
    path: "/domains",
    pattern: "/domains/*?",
    icon: Globe,
    role: "viewer",
    Screen: lazy(() => import("../domains/screen")),
  },
  {
    name: "apps",
    path: "/apps",
    pattern: "/apps/*?",
    icon: AppWindow,
    role: "viewer",
    Screen: lazy(() => import("../apps/screen")),
  },
  {
    name: "developers",
    path: "/developers",
    pattern: "/developers/*?",
    icon: CodeXml,
    role: "viewer",
    Screen: lazy(() => import("../developers/screen")),
  },
  {
    name: "settings",
    path: "/settings",
    pattern: "/settings/*?",
    icon: Settings,
    role: "viewer",
    Screen: lazy(() => import("../settings/screen")),
  },
];
