/** Every part of `ui` in every state, for whoever builds a screen: `/app/ui` of a service in development. */
import { Archive, Inbox, Link2, Plus, Search } from "lucide-react";
import { useState } from "react";
import { ApiFailure } from "../api/failures";
import { Button, CopyButton, CopyText, Download, IconButton, LinkButton, OutLink } from "./button";
import { ChartParts } from "./charts/gallery";
import { Select, Tick } from "./choice";
import { Chip, Empty, Failure, Keys, Notice, Pairs, Skeleton, Tabs } from "./data";
import { Confirm, Dialog } from "./dialog";
import { ColorField, FileField, TextArea, TextField } from "./field";
import { clockText, countText, dayText, durationText, momentText, monthText, percentText, shortCount } from "./format";
import {
  AppIcon,
  Card,
  Code,
  CodeBlock,
  Columns,
  Figure,
  Grid,
  Grow,
  Heading,
  OnlyWide,
  Row,
  Screen,
  Stack,
  Text,
} from "./layout";
import { Menu } from "./menu";
import { PathParts } from "./path/gallery";
import { Progress } from "./progress";
import { Meter, Sparkline, Table } from "./table";
import { toast } from "./toasts";

/** Of no app: whoever looks at the parts asks for nothing else. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'%3E%3Crect width='1' height='1'/%3E%3C/svg%3E";

const AT = Date.UTC(2026, 0, 31, 12);
const nothing = () => {};

const Gallery = () => (
  <main>
    <Screen
      title="Parts"
      before={<LinkButton to="/">Back</LinkButton>}
      actions={<Button icon={Plus}>An action</Button>}
    >
      <Tabs label="Tabs" tabs={TABS} />
      <Columns>
        <Stack>
          <Buttons />
          <Fields />
          <Overlays />
        </Stack>
        <Stack>
          <Texts />
          <States />
        </Stack>
      </Columns>
      <Lists />
      <PathParts />
      <ChartParts />
    </Screen>
  </main>
);

export default Gallery;

const TABS = [
  ["/ui", "Current"],
  ["/ui/other", "Other"],
] as const;

const Buttons = () => (
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

function Fields() {
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

function Overlays() {
  const [open, setOpen] = useState<"dialog" | "confirm">();
  const close = () => setOpen(undefined);
  return (
    <Card title="Overlays">
      <Row wrap>
        <Button onClick={() => setOpen("dialog")}>Dialog</Button>
        <Button onClick={() => setOpen("confirm")}>Confirm</Button>
        <Button onClick={() => toast({ text: "Paused", undo: nothing })}>Toast</Button>
        <Button onClick={() => toast({ text: "It failed", isFailure: true })}>Failure</Button>
        <Menu
          trigger={<Button>Menu</Button>}
          groups={[
            [
              { label: "First", icon: Link2 },
              { label: "Chosen", isChosen: true },
            ],
            [{ label: "Delete", danger: true }],
          ]}
        />
      </Row>
      {open === "dialog" ? (
        <Dialog title="A dialog" onClose={close} foot={<Button onClick={close}>Close</Button>}>
          <p>What it says.</p>
        </Dialog>
      ) : null}
      {open === "confirm" ? (
        <Confirm
          title="Delete?"
          text="It cannot be undone."
          act="Delete"
          name="acme"
          onConfirm={close}
          onClose={close}
        />
      ) : null}
    </Card>
  );
}

const Texts = () => (
  <Card title="Texts">
    <Stack gap={2}>
      <AppIcon src={ICON} />
      <Heading>Heading</Heading>
      <Figure>{countText(1_234_567)}</Figure>
      <Text>Text</Text>
      <Text strong>Strong</Text>
      <Text soft small>
        Soft and small
      </Text>
      <Text oneLine foreign>
        {"A text that is too long for one line ".repeat(8)}
      </Text>
      <Code>code</Code>
      <CodeBlock>{'{ "code": "block" }'}</CodeBlock>
      <Pairs
        of={[
          ["Short", shortCount(1_234_567)],
          ["Share", percentText(0.1234)],
          ["Day", dayText(AT)],
          ["Moment", momentText(AT)],
          ["Duration", durationText(190)],
          ["Month", monthText(new Date(AT).toISOString())],
          ["Time", clockText(AT)],
          ["Keys", <Keys key="keys">⌘K</Keys>],
        ]}
      />
    </Stack>
  </Card>
);

const States = () => (
  <Stack>
    <Row wrap>
      <Chip>Plain</Chip>
      <Chip tone="good">Good</Chip>
      <Chip tone="warn">Warning</Chip>
      <Chip tone="bad">Bad</Chip>
      <Chip tone="accent" onRemove={nothing}>
        Removable
      </Chip>
    </Row>
    <Notice>Notice</Notice>
    <Notice tone="good">Good</Notice>
    <Notice tone="warn">Warning</Notice>
    <Failure error={new ApiFailure(409, "This slug is already used on its domain")} onRetry={nothing} />
    <Card>
      <Empty
        icon={Inbox}
        title="Nothing here yet"
        text="What to do first."
        action={<Button kind="primary">Do it</Button>}
      />
    </Card>
    <Card padded={false}>
      <Skeleton rows={3} />
    </Card>
    <Meter label="Links" used={312} limit={1_000} text="312 of 1,000" />
    <Meter label="Domains" used={3} limit={3} text="3 of 3" />
    <Meter label="Members" used={3} limit={null} text="3, unlimited" />
    <Progress label="12 of 40" value={12} max={40} />
  </Stack>
);

const ROWS = [
  { name: "Germany", clicks: 1_200, week: [3, 5, 2, 8, 9, 4, 12] },
  { name: "France", clicks: 640, week: [0, 0, 1, 0, 2, 0, 0] },
];

const Lists = () => (
  <Card title="Lists" padded={false}>
    <Table
      label="Countries"
      rows={ROWS}
      keyOf={({ name }) => name}
      columns={[
        { title: "Country", cell: ({ name }) => name },
        {
          title: "Week",
          isTitleHidden: true,
          cell: ({ name, week }) => (
            <Row>
              <Grow />
              <Sparkline values={week} label={`${name}: ${week.join(", ")}`} />
            </Row>
          ),
        },
        { title: "Clicks", isNumber: true, cell: ({ clicks }) => countText(clicks) },
      ]}
    />
  </Card>
);
