import { Archive, ArchiveRestore, Pause, Play, Trash2 } from "lucide-react";
import type { MenuItem } from "../ui/menu";
import { words } from "../words";
import { type Link, useChangeLink } from "./queries";

/** Returns the one-click changes of a link, as groups of a menu. */
export function useSwitches(link: Link, onDelete: (link: Link) => void): MenuItem[][] {
  const { links, ui } = words;
  const change = useChangeLink();
  const { slug, isActive, isArchived } = link;
  return [
    [
      {
        label: isActive ? links.pause : links.resume,
        icon: isActive ? Pause : Play,
        onSelect: () =>
          change({
            ...{ link, changes: { isActive: !isActive }, undo: { isActive } },
            told: isActive ? links.paused(slug) : links.resumed(slug),
          }),
      },
      {
        label: isArchived ? links.unarchive : links.archive,
        icon: isArchived ? ArchiveRestore : Archive,
        onSelect: () =>
          change({
            ...{ link, changes: { isArchived: !isArchived }, undo: { isArchived } },
            told: isArchived ? links.unarchivedOne(slug) : links.archivedOne(slug),
          }),
      },
    ],
    [{ label: ui.delete, icon: Trash2, danger: true, onSelect: () => onDelete(link) }],
  ];
}
