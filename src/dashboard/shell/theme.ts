/** Light or dark theme, chosen here or by the system, with the organization's accent color. */
import { useEffect, useSyncExternalStore } from "react";
import { pagePalette } from "@/core/pages/page-palette";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "waymark-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const printed = matchMedia("print");
const listeners = new Set<() => void>();

const stored = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "system";

/** Paper is light. */
const shadeNow = (): "light" | "dark" => {
  if (printed.matches) return "light";
  const theme = stored();
  return theme === "system" ? (dark.matches ? "dark" : "light") : theme;
};

function apply(): void {
  document.documentElement.dataset.theme = shadeNow();
  for (const listener of listeners) listener();
}

/** Call before the first render. */
export function startTheme(): void {
  for (const each of [dark, printed]) each.addEventListener("change", apply);
  apply();
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  apply();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTheme = (): Theme => useSyncExternalStore(subscribe, stored);

let previewed: string | undefined;
const previewedNow = () => previewed;

/** Shows an accent that is not saved yet; undefined ends the preview. An invalid color shows the default. */
export function previewAccent(accentColor: string | undefined): void {
  previewed = accentColor;
  for (const listener of listeners) listener();
}

/** Applies the organization's accent to the page. */
export function useAccent(accentColor: string | undefined): void {
  const shade = useSyncExternalStore(subscribe, shadeNow);
  const shown = useSyncExternalStore(subscribe, previewedNow) ?? accentColor;
  useEffect(() => {
    const { accent, onAccent, edge, tint, onTint } = pagePalette(shown)[shade];
    const { style } = document.documentElement;
    const values = { accent, "on-accent": onAccent, edge, tint, "on-tint": onTint };
    for (const [name, value] of Object.entries(values)) style.setProperty(`--${name}`, value);
  }, [shown, shade]);
}
