/** Downloads the QR codes of selected links as a ZIP in a real browser, and reads it with independent readers. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, type DashboardPage, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { readPicture } from "@test/support/browser/qr-reader";
import { filesIn } from "@test/support/browser/zip-reader";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const browser = await startBrowser();

/** An expression that collects downloads in `kept`, and their file names in `names`, instead of saving them. */
const KEEP = `window.kept = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => (kept.push(blob), make(blob));
  HTMLAnchorElement.prototype.click = function () { (window.names ??= []).push(this.download); }`;
const KEPT = `kept.at(-1).arrayBuffer().then((bytes) => new Uint8Array(bytes).toBase64?.() ??
  btoa([...new Uint8Array(bytes)].map((byte) => String.fromCharCode(byte)).join("")))`;
const zipOf = async (page: DashboardPage) => filesIn(Buffer.from(await page.evaluate<string>(KEPT), "base64"));
const select = (page: DashboardPage, slug: string) =>
  page.evaluate(`document.querySelector('input[aria-label="Select ${slug}"]').click()`);
const press = (page: DashboardPage, text: string) => page.evaluate(`${button(text)}.click()`);

test("three QR codes are cancelled, then downloaded as SVG and PNG; a deleted link is reported", async () => {
  const ada = await service.register();
  const links = await Promise.all(
    ["spring", "Summer-Ü", "autumn", "winter"].map((slug) =>
      service.createLink(ada, { defaultUrl: "https://shop.example.com/", slug }),
    ),
  );
  const [spring, summer, autumn] = links.map(({ shortUrl }) => shortUrl);
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${service.url}/app`);
  await page.until(`document.querySelectorAll(".list-row input").length === 4`);
  await page.evaluate(KEEP);
  for (const { slug } of links.slice(0, 3)) await select(page, slug);
  await page.until(says("3 selected"));
  await press(page, "QR codes");
  await page.until(says("QR codes of 3 links"));
  await page.takeScreenshots("qr-codes");
  expect(await page.faults()).toEqual([]);
  const held = page.hold("GET", "/qrcode");
  await press(page, "Download ZIP");
  await held.sent;
  await page.until(`document.querySelector("progress")?.value === 2`);
  expect(await page.evaluate<string>(`document.querySelector(".progress").innerText`)).toBe("2 of 3");
  await page.takeScreenshots("qr-codes-running");
  expect(await page.faults()).toEqual([]);
  await press(page, "Cancel");
  await page.until(`!document.querySelector("progress") && ${button("Download ZIP")}?.disabled === false`);
  held.releaseRequest();
  expect(await page.evaluate<number>("kept.length")).toBe(0);
  await press(page, "Download ZIP");
  await page.until(says("3 QR codes downloaded"));
  await page.until(`!document.querySelector(".dialog")`);
  const drawn = await zipOf(page);
  const host = service.host.replace(":", "-");
  expect([...drawn.keys()].sort()).toEqual([`${host}-Summer-Ü.svg`, `${host}-autumn.svg`, `${host}-spring.svg`]);
  expect(await readPicture(drawn.get(`${host}-spring.svg`) as Buffer)).toBe(spring);
  expect(await readPicture(drawn.get(`${host}-Summer-Ü.svg`) as Buffer)).toBe(summer);

  await service.call("DELETE", `/api/v1/organizations/${ada.orgId}/links/${links[0]?._id}`, ada);
  await press(page, "QR codes");
  await page.until(`!!${labelled("File type")}`);
  await page.evaluate(`${labelled("File type")}.focus()`);
  await page.press("p");
  await press(page, "Download ZIP");
  await page.until(says("1 code is missing from the download:"));
  expect(await page.evaluate<string>(`document.querySelector("[role=dialog] li").innerText`)).toStartWith(
    `${spring}: `,
  );
  await page.takeScreenshots("qr-codes-failed");
  const painted = await zipOf(page);
  expect([...painted.keys()].sort()).toEqual([`${host}-Summer-Ü.png`, `${host}-autumn.png`]);
  expect(await readPicture(painted.get(`${host}-autumn.png`) as Buffer)).toBe(autumn);
  expect(await page.evaluate<string[]>("names")).toEqual(
    Array(2).fill(expect.stringMatching(/^acme.*-qr-codes\.zip$/)),
  );
  expect(page.complaints.filter((text) => !text.includes("404"))).toEqual([]);
});
