/** Downloads the QR codes of the selected links as one ZIP file. */
import { useState } from "react";
import { Button } from "@/dashboard/ui/button";
import { optionsOf, Select } from "@/dashboard/ui/choice";
import { Notice } from "@/dashboard/ui/data";
import { Dialog } from "@/dashboard/ui/dialog";
import { countText } from "@/dashboard/ui/format";
import { Stack, Text } from "@/dashboard/ui/layout";
import { Progress } from "@/dashboard/ui/progress";
import { decodedUrl } from "@/dashboard/ui/readable-url";
import { toast } from "@/dashboard/ui/toasts";
import type { SelectedLink } from "../chosen";
import { selectionWords as words } from "../selected/words";
import { useQrZip } from "./use-qr-zip";
import type { CodeFormat } from "./zip";

const LINKS_MAX = 500;

export default function QrCodesDialog({ links, onClose }: { links: readonly SelectedLink[]; onClose(): void }) {
  const { qr } = words.selection;
  const [format, setFormat] = useState<CodeFormat>("svg");
  const { progress, start, cancel } = useQrZip(links, (count) => {
    toast({ text: qr.saved(count) });
    onClose();
  });
  const isTooMany = links.length > LINKS_MAX;
  const isRunning = progress !== undefined && !progress.isOver;
  return (
    <Dialog
      title={qr.title(links.length)}
      onClose={onClose}
      foot={
        <>
          <Button onClick={isRunning ? cancel : onClose}>{isRunning ? words.ui.cancel : words.ui.close}</Button>
          <Button kind="primary" disabled={isTooMany} busy={isRunning} onClick={() => void start(format)}>
            {qr.download}
          </Button>
        </>
      }
    >
      <Stack gap={3}>
        {isTooMany ? <Notice tone="warn">{qr.tooMany(LINKS_MAX)}</Notice> : null}
        <Select
          {...{ label: qr.format, value: format, onChange: setFormat, disabled: isRunning }}
          options={optionsOf(qr.formats)}
        />
        {isRunning ? (
          <Progress
            label={qr.progress(countText(progress.done + progress.failed.length), countText(links.length))}
            value={progress.done + progress.failed.length}
            max={links.length}
          />
        ) : null}
        {isRunning && progress.isWaiting ? (
          <Text soft small>
            {qr.waiting}
          </Text>
        ) : null}
        {progress?.isOver && progress.failed.length > 0 ? (
          <Notice tone="bad">
            <Text strong>{qr.failed(progress.failed.length)}</Text>
            <ul>
              {progress.failed.map(({ shortUrl, text }) => (
                <li key={shortUrl}>{qr.failedOne(decodedUrl(shortUrl), text)}</li>
              ))}
            </ul>
          </Notice>
        ) : null}
      </Stack>
    </Dialog>
  );
}
