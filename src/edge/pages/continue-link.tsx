/** The link that takes a page's visitor onward, and what it copies on the way. */
import type { PageTheme } from "../theme";
import { attribute } from "./layout";

export interface ContinueTarget {
  /** The destination of the visit. */
  url: string;
  /** What is copied to the pasteboard on the way to the App Store: the short URL with the match token. */
  copied: string | null;
}

interface GoOnProps {
  onward: ContinueTarget;
  text: string;
  isButton: boolean;
  opensWindow?: boolean;
}

/** Works as a plain link without JavaScript. */
export const ContinueLink = ({ onward, text, isButton, opensWindow }: GoOnProps) => (
  <a
    class={isButton ? "button" : "on"}
    href={attribute(onward.url)}
    target={opensWindow ? "_blank" : undefined}
    rel={opensWindow ? "noopener" : undefined}
    data-copy={onward.copied === null ? undefined : attribute(onward.copied)}
    dir="auto"
    safe
  >
    {text}
  </a>
);

/** Continues once the copy is done or has had one second. Browsers allow copying only on a tap. */
const COPY = `addEventListener("click",function(event){
var link=event.target.closest&&event.target.closest("a[data-copy]");
if(!link||!navigator.clipboard||event.metaKey||event.ctrlKey||event.shiftKey)return;
event.preventDefault();
var go=function(){go=function(){};location.assign(link.href)};
setTimeout(function(){go()},1000);
navigator.clipboard.writeText(link.dataset.copy).then(function(){go()},function(){go()})})`;

export const CopyScript = ({ onward, theme }: { onward: ContinueTarget; theme: PageTheme }) =>
  onward.copied === null ? "" : <script nonce={theme.nonce}>{COPY}</script>;
