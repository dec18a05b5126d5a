/** Creates the ZIP file in the browser, with one request per link, and downloads it. */
import { useEffect, useRef, useState } from "react";
import { api, unwrap } from "@/dashboard/api/client";
import { useOrg } from "@/dashboard/shell/session";
import type { SelectedLink } from "../chosen";
import { type Bytes, type FailedCode, fetchCodes } from "./fetch-codes";
import { fileNames } from "./file-names";
import { type CodeFormat, CodeZip } from "./zip";

export interface ZipProgress {
  done: number;
  failed: readonly FailedCode[];
  isWaiting: boolean;
  isOver: boolean;
}

const BEGUN: ZipProgress = { done: 0, failed: [], isWaiting: false, isOver: false };

export function useQrZip(links: readonly SelectedLink[], onSaved: (count: number) => void) {
  const { _id: orgId, slug } = useOrg();
  const [progress, setProgress] = useState<ZipProgress>();
  const running = useRef<AbortController>(null);
  const cancel = () => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);

  const start = async (format: CodeFormat) => {
    const controller = new AbortController();
    running.current = controller;
    const [zip, nameOf] = [new CodeZip(format), fileNames(format)];
    let now = BEGUN;
    const tell = (change: Partial<ZipProgress>) => {
      now = { ...now, ...change };
      if (!controller.signal.aborted) setProgress(now);
    };
    tell({});
    try {
      await fetchCodes(links, {
        signal: controller.signal,
        read: (link, signal) => readCode(orgId, link, format, signal),
        onCode: ({ shortUrl }, bytes) => {
          zip.add(nameOf(shortUrl), bytes);
          tell({ done: now.done + 1 });
        },
        onFailed: (failed) => tell({ failed: [...now.failed, failed] }),
        onWait: (isWaiting) => tell({ isWaiting }),
      });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      setProgress(undefined);
      return;
    }
    if (now.done > 0) save(zip.finished(), `${slug}-qr-codes.zip`);
    tell({ isOver: true });
    if (now.failed.length === 0) onSaved(now.done);
  };
  return { progress, start, cancel };
}

const PRINTED_PX = 1_024;

async function readCode(orgId: string, link: SelectedLink, format: CodeFormat, signal: AbortSignal): Promise<Bytes> {
  const { qrCodeDataUrl } = await unwrap(
    api.GET("/api/v1/organizations/{orgId}/links/{linkId}/qrcode", {
      params: {
        path: { orgId, linkId: link._id },
        query: { format, ...(format === "png" && { width: PRINTED_PX }) },
      },
      signal,
    }),
  );
  const base64 = qrCodeDataUrl.slice(qrCodeDataUrl.indexOf(",") + 1);
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Milliseconds; long enough for any browser to start the download. */
const KEPT_MS = 60_000;

function save(file: Blob, name: string): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(file);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), KEPT_MS);
}
