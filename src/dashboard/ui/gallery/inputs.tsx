/** Buttons and fields. */
import { Archive, Link2, Search } from "lucide-react";
import { useState } from "react";
import { Button, CopyButton, CopyText, Download, IconButton, LinkButton, OutLink } from "../button";
import { Select, Tick } from "../choice";
import { ColorField, FileField, TextArea, TextField } from "../field";
import { Card, Grid, OnlyWide, Row, Stack } from "../layout";

const nothing = () => {};

export const ButtonParts = () => (
  <Card title="Buttons" actions={<IconButton icon={Search} label="Search" small />}>
    <Row wrap>
      <Button kind="primary">Primary</Button>
      <Button>Plain</Button>
      <Button kind="quiet">Quiet</Button>
      <Button kind="danger">Danger</Button>
      <Button icon={Archive}>Icon</Button>
      <Button icon={Archive} aria-label="Text where there is room">
        <OnlyWide>Text where there is room</OnlyWide>
      </Button>
      <Button small>Small</Button>
      <Button large>Large</Button>
      <Button disabled>Disabled</Button>
      <Button busy>Busy</Button>
      <LinkButton to="/ui" kind="primary">
        Link
      </LinkButton>
      <Download href="/app/ui">Download</Download>
      <OutLink href="https://example.com/">Elsewhere</OutLink>
      <CopyButton text="Copied text" />
    </Row>
    <CopyText label="Shown once" text="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwT2pVnC5sHw0=" />
  </Card>
);

const CHOICES: [choice: "a" | "b", text: string][] = [
  ["a", "First"],
  ["b", "Second"],
];

export function FieldParts() {
  const [text, setText] = useState("");
  const [choice, setChoice] = useState<"a" | "b">("a");
  const [isOn, setOn] = useState(true);
  const [color, setColor] = useState("#1f4fd8");
  const shared = { value: text, onChange: setText };
  return (
    <Card title="Fields">
      <Stack>
        <TextField {...shared} label="Text" hint="A hint" placeholder="Placeholder" />
        <TextField {...shared} label="With a fault" fault="expected an absolute http(s) URL" />
        <TextField {...shared} label="With suggestions" icon={Link2} suggestions={["Germany", "France"]} large />
        <TextArea {...shared} label="Longer text" />
        <Grid>
          <Select label="Choice" value={choice} onChange={setChoice} options={CHOICES} />
          <FileField label="File" hint="At most 50 MB" onChange={nothing} />
          <ColorField label="Color" value={color} onChange={setColor} />
          <Tick label="Tick" checked={isOn} onChange={setOn} />
          <Tick label="Switch" checked={isOn} onChange={setOn} isSwitch />
        </Grid>
      </Stack>
    </Card>
  );
}
