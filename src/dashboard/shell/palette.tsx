/** Finds links by slug, title and destination, and screens and actions by name. Arrow keys select, Enter opens. */
import { Dialog } from "@base-ui/react/dialog";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Archive, ArrowRight, Link2, type LucideIcon, Plus, Terminal } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useLocation } from "wouter";
import { api, unwrap } from "../api/client";
import { useSearchedText } from "../links/domains";
import { Icon } from "../ui/layout";
import { decodedUrl, readableUrl } from "../ui/readable-url";
import { words } from "../words";
import { openCommand } from "./commands";
import { useDebounced } from "./debounced";
import { SCREENS } from "./screens";
import { type Org, useOrg } from "./session";

const LINKS_SHOWN = 8;
const TYPED_MS = 150;

interface Found {
  key: string;
  icon: LucideIcon;
  label: string;
  detail?: string;
  /** Where it leads, or what it opens over the screen. */
  to: string | (() => void);
}

export default function Palette({ org, onClose }: { org: Org; onClose(): void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [, navigate] = useLocation();
  const list = useId();
  const typed = text.trim();
  const sought = useDebounced(typed, TYPED_MS);
  const { links, isSearching } = useLinks(org, sought);
  const found = [...useActs(text), ...links];
  const current = found[Math.min(chosen, found.length - 1)];
  const go = (to: Found | undefined) => {
    if (!to) return;
    onClose();
    if (typeof to.to === "string") navigate(to.to);
    else to.to();
  };
  // What is listed may still be what was found for an earlier text. Whoever chose from it by arrow keys means that.
  const isOfLinks = !current || links.includes(current);
  const isMeant = chosen > 0 || !isOfLinks || (typed === sought && !isSearching);
  const chosenId = current && `${list}-${current.key}`;
  useEffect(() => {
    if (chosenId) document.getElementById(chosenId)?.scrollIntoView({ block: "nearest" });
  }, [chosenId]);
  const enter = useEnter(text, isMeant, () => go(current));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") enter();
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || found.length === 0) return;
    event.preventDefault();
    setChosen((Math.min(chosen, found.length - 1) + step + found.length) % found.length);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog high" aria-label={words.shell.search}>
          <input
            className="palette-input"
            role="combobox"
            aria-label={words.shell.search}
            aria-expanded="true"
            aria-controls={list}
            aria-activedescendant={chosenId}
            placeholder={words.shell.searchHint}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div className="palette-list" role="listbox" id={list} aria-label={words.shell.found}>
            {found.map((each) => (
              <Option
                key={each.key}
                {...{ found: each, id: `${list}-${each.key}`, isChosen: each === current }}
                onChoose={() => go(each)}
              />
            ))}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface OptionProps {
  found: Found;
  id: string;
  isChosen: boolean;
  onChoose(): void;
}

const Option = ({ found: { icon, label, detail }, id, isChosen, onChoose }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
  <div id={id} role="option" tabIndex={-1} aria-selected={isChosen} className="menu-item" onClick={onChoose}>
    <Icon of={icon} />
    <span className="one-line" dir="auto">
      {label}
    </span>
    {detail ? (
      <span className="soft small one-line grow" dir="auto">
        {detail}
      </span>
    ) : null}
  </div>
);

/** Returns a function that opens what was found for the text: immediately, or as soon as it is found. */
function useEnter(text: string, isFound: boolean, open: () => void): () => void {
  const [entered, setEntered] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens once, when the search for the text has ended
  useEffect(() => {
    if (entered !== text || !isFound) return;
    setEntered(undefined);
    open();
  }, [entered, text, isFound]);
  return () => setEntered(text);
}

function useActs(text: string): Found[] {
  const { may } = useOrg();
  const sought = text.trim().toLowerCase();
  const screens = SCREENS.filter(({ role }) => may(role)).map(({ name, path }) => ({
    ...{ key: `screen-${name}`, icon: ArrowRight, label: words.screens[name], to: path },
  }));
  const acts = may("member") ? [{ key: "create", icon: Plus, label: words.links.create, to: "/links/new" }] : [];
  const curl = { key: "curl", icon: Terminal, label: words.shell.curl.title, to: () => void openCommand("curl") };
  return [...acts, ...screens, curl].filter(({ label }) => label.toLowerCase().includes(sought));
}

function useLinks({ _id: orgId }: Org, typed: string) {
  const search = useSearchedText(typed);
  const { data, isFetching } = useQuery({
    queryKey: ["links", orgId, "palette", search],
    enabled: search !== "",
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = await searchLinks(orgId, { search, limit: LINKS_SHOWN }, signal);
      const left = LINKS_SHOWN - found.length;
      if (left === 0) return found;
      return [...found, ...(await searchLinks(orgId, { search, limit: left, isArchived: true }, signal))];
    },
  });
  const found = search === "" ? [] : (data ?? []);
  const links: Found[] = found.map(({ _id, shortUrl, title, defaultUrl, isArchived }) => ({
    ...{ key: _id, label: readableUrl(shortUrl), to: `/links/${_id}` },
    ...(isArchived
      ? { icon: Archive, detail: words.links.archivedLink(title ?? decodedUrl(defaultUrl)) }
      : { icon: Link2, detail: title ?? decodedUrl(defaultUrl) }),
  }));
  return { links, isSearching: isFetching };
}

async function searchLinks(
  orgId: string,
  query: { search: string; limit: number; isArchived?: true },
  signal: AbortSignal,
) {
  const answer = api.GET("/api/v1/organizations/{orgId}/links", { params: { path: { orgId }, query }, signal });
  return (await unwrap(answer)).links;
}
