/** Shows the requests behind the screen as curl commands for scripts. */
import { useQueryClient } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { useRef, useState } from "react";
import { requestsBehind } from "../api/asked-for";
import { API_BASE } from "../api/client";
import { curlOf, TOKEN_HEADER } from "../api/curl";
import { Button, CopyText, LinkButton } from "../ui/button";
import { copyText } from "../ui/clipboard";
import { Dialog } from "../ui/dialog";
import { Stack, Text } from "../ui/layout";
import { toast } from "../ui/toasts";
import { words } from "../words";

/** The start of nearly every path, which labels abbreviate. */
const ORGANIZATION = /^\/api\/v1\/organizations\/[^/]+/;

export default function CurlDialog({ onClose }: { onClose(): void }) {
  const { curl: said } = words.shell;
  const client = useQueryClient();
  const [requests] = useState(() => requestsBehind(client));
  const all = useRef<HTMLButtonElement>(null);
  const commands = requests.map(({ method, url: { origin, pathname, search }, body }) => {
    const path = pathname.slice(API_BASE.length);
    const label = `${method} ${path.replace(ORGANIZATION, "…")}`;
    return { label, command: curlOf(origin + path + search, TOKEN_HEADER, body) };
  });
  const copy = async () => {
    const isCopied = await copyText(commands.map(({ command }) => `${command}\n`).join(""));
    toast(isCopied ? { text: words.ui.copied } : { text: words.ui.notCopied, isFailure: true });
    if (!isCopied) return;
    onClose();
  };
  return (
    <Dialog
      title={said.title}
      onClose={onClose}
      isWide
      initialFocus={all}
      foot={
        <Button ref={all} kind="primary" icon={Copy} disabled={commands.length === 0} onClick={() => void copy()}>
          {said.all}
        </Button>
      }
    >
      <Stack gap={3}>
        <Text soft>{commands.length === 0 ? said.none : said.text}</Text>
        {commands.map(({ label, command }) => (
          <CopyText key={command} label={label} text={command} />
        ))}
        <div>
          <LinkButton small to="/developers/access-tokens" onClick={onClose}>
            {said.toTokens}
          </LinkButton>
        </div>
      </Stack>
    </Dialog>
  );
}
