/** Which links are selected. They stay selected when the list shows others. */
import { useCallback, useMemo, useState } from "react";
import type { Link } from "./queries";

/** What the actions on selected links need to know of each. */
export type SelectedLink = Pick<Link, "_id" | "shortUrl" | "isArchived" | "leadCapture">;

type Chosen = ReadonlyMap<string, SelectedLink>;

export interface Selection {
  links: readonly SelectedLink[];
  ids: readonly string[];
  has(link: SelectedLink): boolean;
  toggle(link: SelectedLink): void;
  add(links: readonly SelectedLink[]): void;
  /** Selects these links alone. */
  put(links: readonly SelectedLink[]): void;
  /** Ids that are not selected are ignored. */
  drop(ids: readonly string[]): void;
  clear(): void;
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const toggle = useCallback((link: SelectedLink) => setChosen((before) => toggled(before, link)), []);
  const add = useCallback((links: readonly SelectedLink[]) => setChosen((before) => withLinks(before, links)), []);
  const put = useCallback((links: readonly SelectedLink[]) => setChosen(withLinks(new Map(), links)), []);
  const drop = useCallback((ids: readonly string[]) => setChosen((before) => without(before, ids)), []);
  const clear = useCallback(() => setChosen(new Map()), []);
  return useMemo(() => {
    const links = [...chosen.values()];
    const has = ({ _id }: SelectedLink) => chosen.has(_id);
    return { links, ids: [...chosen.keys()], has, toggle, add, put, drop, clear };
  }, [chosen, toggle, add, put, drop, clear]);
}

function toggled(before: Chosen, link: SelectedLink): Chosen {
  const after = new Map(before);
  if (!after.delete(link._id)) after.set(link._id, link);
  return after;
}

const withLinks = (before: Chosen, links: readonly SelectedLink[]): Chosen =>
  new Map([...before, ...links.map((link) => [link._id, link] as const)]);

function without(before: Chosen, ids: readonly string[]): Chosen {
  const after = new Map(before);
  for (const id of ids) after.delete(id);
  return after.size === before.size ? before : after;
}
