/** The link's QR code as it will be printed: colors, size and logo, with downloads. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { api, unwrap } from "../api/client";
import { failureText, faultsOf, otherFaults } from "../api/failures";
import { useKeptInput } from "../drafts/kept-input";
import type { Link } from "../links/queries";
import { useDebounced } from "../shell/debounced";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { Notice, Skeleton } from "../ui/data";
import { ColorField, TextField } from "../ui/field";
import { countText } from "../ui/format";
import { Card, Columns, Picture, Row, Stack, Text } from "../ui/layout";
import { decodedUrl } from "../ui/readable-url";
import { toast } from "../ui/toasts";
import { linkWords as words } from "./words";

const FORMATS = ["png", "svg", "pdf"] as const;
type Format = (typeof FORMATS)[number];

interface Style {
  dark: string;
  light: string;
  width: string;
  logo: string;
}

const PLAIN: Style = { dark: "#000000", light: "#ffffff", width: "512", logo: "" };
const CENTIMETRES_A_PIXEL = 2.54 / 300;
const TYPED_MS = 250;

export default function QrCode({ link }: { link: Link }) {
  const { qr } = words.link;
  const { values: style, set: setStyle } = useKeptInput(`QR code ${link._id}`, PLAIN);
  const read = useCode(link);
  // Each request counts towards the plan's limit, and the service fetches the logo.
  const shown: Style = JSON.parse(useDebounced(JSON.stringify(style), TYPED_MS));
  const { data, error } = useQuery({
    queryKey: ["links", link.orgId, "qr", link._id, shown],
    queryFn: ({ signal }) => read("png", shown, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const faults = faultsOf(error);
  const alert = otherFaults(error, Object.keys(PLAIN));
  const set = (name: keyof Style) => (value: string) => setStyle({ [name]: value });
  const width = Number(style.width);
  return (
    <Columns>
      <Card>
        {alert ? <Notice tone="bad">{alert}</Notice> : null}
        {data ? (
          <Picture src={data.qrCodeDataUrl} alt={qr.picture(decodedUrl(link.shortUrl))} />
        ) : (
          <Skeleton rows={4} />
        )}
      </Card>
      <Card>
        <Stack>
          <ColorField label={qr.dark} value={style.dark} onChange={set("dark")} fault={faults.dark} />
          <ColorField label={qr.light} value={style.light} onChange={set("light")} fault={faults.light} />
          <TextField
            label={qr.width}
            value={style.width}
            onChange={set("width")}
            fault={faults.width}
            inputMode="numeric"
          />
          {width > 0 ? (
            <Text soft small>
              {qr.print(width, countText(Math.round(width * CENTIMETRES_A_PIXEL * 10) / 10))}
            </Text>
          ) : null}
          <TextField
            label={qr.logo}
            hint={qr.logoHint}
            value={style.logo}
            onChange={set("logo")}
            fault={faults.logo}
            inputMode="url"
          />
          <Downloads link={link} style={style} disabled={error !== null} />
        </Stack>
      </Card>
    </Columns>
  );
}

function Downloads({ link, style, disabled }: { link: Link; style: Style; disabled: boolean }) {
  const read = useCode(link);
  const download = useChange({
    mutationFn: (format: Format) => read(format, style),
    onSuccess: ({ qrCodeDataUrl }, format) => save(qrCodeDataUrl, `${link.slug}.${format}`),
    onError: (error) => toast({ text: failureText(error), isFailure: true }),
  });
  return (
    <Row wrap>
      {FORMATS.map((format) => (
        <Button
          key={format}
          disabled={disabled}
          busy={download.isPending && download.variables === format}
          onClick={() => download.mutate(format)}
        >
          {words.link.qr.download(format.toUpperCase())}
        </Button>
      ))}
    </Row>
  );
}

function useCode({ _id: linkId }: Link) {
  const { _id: orgId } = useOrg();
  return (format: Format, { dark, light, width, logo }: Style, signal?: AbortSignal) =>
    unwrap(
      api.GET("/api/v1/organizations/{orgId}/links/{linkId}/qrcode", {
        params: {
          path: { orgId, linkId },
          query: { format, dark, light, width: Number(width), ...(logo && { logo }) },
        },
        ...(signal && { signal }),
      }),
    );
}

function save(dataUrl: string, name: string): void {
  const anchor = document.createElement("a");
  anchor.href = dataUrl;
  anchor.download = name;
  anchor.click();
}
