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
import type { ComponentType } from "react";
import { lazyPart } from "../ui/part";
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
  Screen: ComponentType;
}

export const SCREENS: readonly ScreenEntry[] = [
  {
    name: "links",
    path: "/links",
    pattern: "/links/*?",
    icon: Link2,
    role: "viewer",
    Screen: lazyPart(() => import("../links/screen")),
  },
  {
    name: "analytics",
    path: "/analytics",
    pattern: "/analytics",
    icon: ChartColumn,
    role: "viewer",
    Screen: lazyPart(() => import("../analytics/screen"), "analytics"),
  },
  {
    name: "live",
    path: "/live",
    pattern: "/live/*?",
    icon: Activity,
    role: "viewer",
    Screen: lazyPart(() => import("../live/screen"), "conditions", "live"),
  },
  {
    name: "review",
    path: "/review",
    pattern: "/review/*?",
    icon: ShieldQuestion,
    role: "member",
    Screen: lazyPart(() => import("../review/screen"), "live", "review"),
  },
  {
    name: "pages",
    path: "/pages",
    pattern: "/pages/*?",
    icon: PanelTop,
    role: "viewer",
    Screen: lazyPart(() => import("../pages/screen"), "pages"),
  },
  {
    name: "domains",
    path: "/domains",
    pattern: "/domains/*?",
    icon: Globe,
    role: "viewer",
    Screen: lazyPart(() => import("../domains/screen"), "domains"),
  },
  {
    name: "apps",
    path: "/apps",
    pattern: "/apps/*?",
    icon: AppWindow,
    role: "viewer",
    Screen: lazyPart(() => import("../apps/screen"), "apps"),
  },
  {
    name: "developers",
    path: "/developers",
    pattern: "/developers/*?",
    icon: CodeXml,
    role: "viewer",
    Screen: lazyPart(() => import("../developers/screen"), "developers"),
  },
  {
    name: "settings",
    path: "/settings",
    pattern: "/settings/*?",
    icon: Settings,
    role: "viewer",
    Screen: lazyPart(() => import("../settings/screen"), "settings"),
  },
];
