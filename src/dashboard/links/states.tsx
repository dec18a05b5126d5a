/** Reasons why a link does not serve every visitor. */
import type { Blocker } from "@/contract/links/link-preview";
import { Chip } from "../ui/data";
import { words } from "../words";
import type { ServedLink } from "./queries";

/** True for states that are intended: visitors get in with the password, or later. */
const isMild = (blocker: Blocker): boolean => blocker === "password_required" || blocker === "not_started";

export const Blockers = ({ link }: { link: ServedLink }) =>
  link.blockers.map((blocker) => (
    <Chip key={blocker} tone={isMild(blocker) ? "warn" : "bad"}>
      {words.links.blockers[blocker]}
    </Chip>
  ));
