/** A preview of one of our pages in a frame. */
import { useSession } from "@/dashboard/shell/session";
import { Card } from "../layout";
import { Phone } from "../phone";

/** A draft without a saved page; all of its content is here. */
const DRAFT = {
  ...{ bioPageId: "00000000-0000-7000-8000-000000000000", title: "A page", bio: "A few words" },
  theme: { preset: "auto" },
  links: [
    { title: "A button", icon: "shop", display: "button" },
    { title: "A button with a text that is too long for one line of a phone", display: "button" },
    { title: "Instagram", icon: "instagram", display: "icon" },
  ],
};

/** The page is shown in the branding of one of the user's organizations. */
export function PhoneParts() {
  const [org] = useSession().data?.organizations ?? [];
  return org ? (
    <Card title="Phone">
      <Phone {...{ title: "Phone", action: "/app/draft-page", name: "draft" }} value={draftOf(org._id)} />
    </Card>
  ) : null;
}

const draftOf = (orgId: string) => JSON.stringify({ orgId, ...DRAFT });
