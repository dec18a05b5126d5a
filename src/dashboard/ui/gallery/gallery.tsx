/** Shows every component of `ui` in every state, for developers: `/app/ui` of a development service. */
import { Plus } from "lucide-react";
import { Button, LinkButton } from "../button";
import { ChartParts } from "../charts/gallery";
import { Tabs } from "../data";
import { Columns, Screen, Stack } from "../layout";
import { PathParts } from "../path/gallery";
import { ButtonParts, FieldParts } from "./inputs";
import { OverlayParts } from "./overlays";
import { PhoneParts } from "./phones";
import { ListParts, StateParts } from "./states";
import { TextParts } from "./texts";

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
          <ButtonParts />
          <FieldParts />
          <OverlayParts />
        </Stack>
        <Stack>
          <TextParts />
          <StateParts />
          <PhoneParts />
        </Stack>
      </Columns>
      <ListParts />
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
