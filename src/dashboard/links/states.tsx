/** Why a link does not serve everyone. */
import type { Blocker } from "@/contract/links/link-preview";
import { Chip } from "../ui/data";
import { words } from "../words";
import type { Link } from "./queries";

function blockersOf(link: Link, now = Date.now()): Blocker[] {
  const blockers: Blocker[] = [];
  if (!link.isActive) blockers.push("inactive");
  if (link.safety.status === "unsafe") blockers.push("unsafe");
  if (link.startsAt && Date.parse(link.startsAt) > now) blockers.push("not_started");
  if (link.expiresAt && Date.parse(link.expiresAt) <= now) blockers.push("expired");
  if (link.passwordProtected) blockers.push("password_required");
  return blockers;
}

/** Not a fault: visitors get in with the password, or later. */
const isMild = (blocker: Blocker): boolean => blocker === "password_required" || blocker === "not_started";

export const Blockers = ({ link }: { link: Link }) =>
  blockersOf(link).map((blocker) => (
    <Chip key={blocker} tone={isMild(blocker) ? "warn" : "bad"}>
      {words.links.blockers[blocker]}
    </Chip>
  ));
