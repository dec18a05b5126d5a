import { useBioPage } from "../pages/queries";
import { isMissing, useLink } from "./queries";

/** Returns the link or the bio page that was clicked, neither while it loads. Figures contain only its id. */
export function useClicked(linkId: string) {
  const { data: link, error } = useLink(linkId);
  const { data: page, error: pageError } = useBioPage(isMissing(error) ? linkId : undefined);
  const name = link ? link.title || link.slug : page && (page.title || page.slug);
  const path = link ? `/links/${linkId}` : page && `/pages/${linkId}`;
  return { link, page, name, path, isDeleted: isMissing(error) && isMissing(pageError) };
}

export type Clicked = ReturnType<typeof useClicked>;
