/** A page of ours in a frame. */
import { useSession } from "@/dashboard/shell/session";
import { Card } from "../layout";
import { Phone } from "../phone";

/** Of no page: what it shows is all there is of it. */
const DRAFT = {
  ...{ bioPageId: "00000000-0000-7000-8000-000000000000", title: "A page", bio: "A few words" },
  theme: { preset: "auto" },
  links: [
    { title: "A button", icon: "shop", display: "button" },
    { title: "A button with a text that is too long for one line of a phone", display: "button" },
    { title: "Instagram", icon: "instagram", display: "icon" },
  ],
};

/** It is drawn in the branding of an organization of one's own. */
export function PhoneParts() {
  const [org] = useSession().data?.organizations ?? [];
  return org ? (
    <Card title="Phone">
      <Phone {...{ title: "Phone", action: "/app/draft-page", name: "draft" }} value={draftOf(org._id)} />
    </Card>
  ) : null;
}

const draftOf = (orgId: string) => JSON.stringify({ orgId, ...DRAFT });
