import { Copy, Ellipsis, ExternalLink, Pencil } from "lucide-react";
import { memo } from "react";
import { Link as Anchor, useLocation } from "wouter";
import { useOrg } from "../shell/session";
import { CopyButton, IconButton } from "../ui/button";
import { copyText } from "../ui/clipboard";
import { countText } from "../ui/format";
import { Grow, Hidden, Row, Text } from "../ui/layout";
import { Menu } from "../ui/menu";
import { readableUrl } from "../ui/readable-url";
import { Sparkline } from "../ui/table";
import { toast } from "../ui/toasts";
import { words } from "../words";
import type { Link, ServedLink } from "./queries";
import { Blockers } from "./states";
import { useSwitches } from "./switches";

interface RowProps {
  link: ServedLink;
  /** Clicks of the last days, once loaded. */
  trend: readonly number[] | undefined;
  isCurrent: boolean;
  isSelected: boolean;
  onSelect(link: Link): void;
  onTag(tag: string): void;
  onDelete(link: Link): void;
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;
const pathOf = (url: string): string => URL.parse(url)?.pathname ?? "";

export const LinkRow = memo(({ link, trend, isCurrent, isSelected, onSelect, onTag, onDelete }: RowProps) => {
  const { links } = words;
  const { may } = useOrg();
  return (
    <div className="list-row" data-current={isCurrent} data-selected={isSelected}>
      {may("member") ? (
        <input
          type="checkbox"
          aria-label={links.select(link.slug)}
          checked={isSelected}
          onChange={() => onSelect(link)}
        />
      ) : null}
      <Grow>
        <Text strong oneLine foreign>
          <Anchor href={`/links/${link._id}`}>
            <span className="only-wide">{hostOf(link.shortUrl)}</span>
            {readableUrl(pathOf(link.shortUrl))}
          </Anchor>
        </Text>
        <About link={link} />
      </Grow>
      <Tags of={link.tags} onTag={onTag} />
      <div className="row-states">
        <Blockers link={link} />
      </div>
      <div className="only-wide">
        <CopyButton text={link.shortUrl} label={links.copyUrl} />
      </div>
      <div className="row-trend only-wide">{trend ? <Sparkline values={trend} label={lastWeek(trend)} /> : null}</div>
      <div className="row-count">
        <span aria-hidden>{countText(link.clickCount)}</span>
        <Hidden>{links.clicks(countText(link.clickCount))}</Hidden>
      </div>
      <Actions link={link} onDelete={onDelete} />
    </div>
  );
});

/** The host is cut only if it takes more than its share of the line, however long the title, and whichever way it runs. */
const About = ({ link: { title, defaultUrl } }: Pick<RowProps, "link">) => (
  <div className="row-about soft small" title={[title, hostOf(defaultUrl)].filter(Boolean).join(" · ")}>
    {title ? (
      <>
        <span className="one-line" dir="auto">
          {title}
        </span>
        <span aria-hidden>·</span>
      </>
    ) : null}
    <span className="one-line row-host">{hostOf(defaultUrl)}</span>
  </div>
);

/** Many tags would make a row much higher than the others, so they share one line, and only the first ones are shown. */
const TAGS_SHOWN = 3;

const Tags = ({ of, onTag }: { of: readonly string[]; onTag(tag: string): void }) => {
  const others = of.slice(TAGS_SHOWN);
  return (
    <div className="row-tags only-wide">
      <Row gap={1}>
        {of.slice(0, TAGS_SHOWN).map((tag) => (
          <button key={tag} type="button" className="chip" title={tag} onClick={() => onTag(tag)}>
            <span className="one-line" dir="auto">
              {tag}
            </span>
          </button>
        ))}
        {others.length > 0 ? (
          <span className="soft small" title={others.join(", ")}>{`+${countText(others.length)}`}</span>
        ) : null}
      </Row>
    </div>
  );
};

function lastWeek(trend: readonly number[]): string {
  const clicks = trend.reduce((sum, count) => sum + count, 0);
  return words.links.lastWeek(clicks, countText(clicks));
}

/** The menu closes, so that it cannot say itself whether the text was copied. */
async function copyAndTell(text: string): Promise<void> {
  const isCopied = await copyText(text);
  toast(isCopied ? { text: words.ui.copied } : { text: words.ui.notCopied, isFailure: true });
}

function Actions({ link, onDelete }: Pick<RowProps, "link" | "onDelete">) {
  const { links } = words;
  const { may } = useOrg();
  const [, navigate] = useLocation();
  const switches = useSwitches(link, onDelete);
  return (
    <Menu
      label={links.actions(link.slug)}
      trigger={<IconButton icon={Ellipsis} label={links.actions(link.slug)} />}
      groups={[
        [
          { label: links.open, icon: Pencil, onSelect: () => navigate(`/links/${link._id}`) },
          { label: links.copyUrl, icon: Copy, onSelect: () => void copyAndTell(link.shortUrl) },
          { label: links.visit, icon: ExternalLink, onSelect: () => open(link.shortUrl, "_blank", "noopener") },
        ],
        ...(may("member") ? switches : []),
      ]}
    />
  );
}
