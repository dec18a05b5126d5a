import { expect, test } from "bun:test";
import { readUpload } from "@/modules/imports/upload";

const MEGABYTES = 16;

test("other requests get their turn while a large file is read", async () => {
  const line = `${"x".repeat(63)}\n`;
  const form = new FormData();
  form.set("file", new File([line.repeat((MEGABYTES * 1024 * 1024) / line.length)], "links.csv"));
  const whole = new Response(form);
  const headers = { "content-type": whole.headers.get("content-type") ?? "" };
  const bytes = await whole.bytes();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const request = new Request("http://localhost/", { method: "POST", headers, body });

  let turns = 0;
  let isReading = true;
  const others = () => {
    turns++;
    if (isReading) setImmediate(others);
  };
  setImmediate(others);
  let kept = 0;
  const uploaded = await readUpload(request, async (content) => {
    kept += content.length;
  });
  isReading = false;

  expect(uploaded.bytes).toBe(MEGABYTES * 1024 * 1024);
  expect(kept).toBe(uploaded.bytes);
  expect(turns).toBeGreaterThanOrEqual(MEGABYTES * 4);
});
