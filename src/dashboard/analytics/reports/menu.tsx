/** Ranges and filters that the organization keeps by name: what is shown is saved, and a saved one opened, from one menu. */
import { Bookmark, BookmarkPlus, ListChecks } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useDialog } from "@/dashboard/shell/dialogs";
import { useOrg } from "@/dashboard/shell/session";
import { Button } from "@/dashboard/ui/button";
import { Menu } from "@/dashboard/ui/menu";
import { words } from "@/dashboard/words";
import { useAsked } from "../asked";
import { filtersOf, searchOf } from "./address";
import { ReportList } from "./list";
import { useReports } from "./queries";
import { SaveReport } from "./save";

/** The newest; the list has them all. */
const IN_MENU = 8;

export function Reports() {
  const { reports: said } = words.analytics;
  const { may } = useOrg();
  const [, navigate] = useLocation();
  const [saving, save, endSaving] = useDialog("save");
  const [listing, list, endListing] = useDialog("reports");
  // Plans limit how often figures may be read, and these count among them.
  const [isNear, setNear] = useState(false);
  const { data: reports = [] } = useReports(isNear);
  const shown = filtersOf(useAsked());
  const here = shown && searchOf(shown);
  return (
    <>
      <Menu
        label={said.title}
        onNear={() => setNear(true)}
        trigger={<Button icon={Bookmark}>{said.title}</Button>}
        groups={[
          may("member") ? [{ label: said.save, icon: BookmarkPlus, onSelect: () => save() }] : [],
          reports.slice(0, IN_MENU).map(({ name, filters }) => ({
            label: <bdi>{name}</bdi>,
            isChosen: searchOf(filters) === here,
            onSelect: () => navigate(`/analytics?${searchOf(filters)}`),
          })),
          [{ label: said.all, icon: ListChecks, onSelect: () => list() }],
        ]}
      />
      {saving === undefined ? null : <SaveReport filters={shown} onClose={endSaving} />}
      {listing === undefined ? null : <ReportList onClose={endListing} />}
    </>
  );
}
