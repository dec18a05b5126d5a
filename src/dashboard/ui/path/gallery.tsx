/** The components that show and edit a path, in every state. */
import { useState } from "react";
import { Button } from "../button";
import { TextField } from "../field";
import { Row } from "../layout";
import { FieldPairs, Fields, Panel, SaveBar, Section, SideColumn } from "./bars";
import { FactChip } from "./fact-chip";
import { SplitBar } from "./split-bar";
import { Steps } from "./steps";

const nothing = () => {};
const good = { isGood: true, word: "matches", text: "(visitor: DE)" };
const bad = { isGood: false, word: "does not match", text: "(visitor: FR)" };

export function PathParts() {
  const [names, setNames] = useState(["First", "Second", "Third"]);
  const [weights, setWeights] = useState([50, 30, 20]);
  const states = { First: "fails", Second: "taken", Third: "holds" } as const;
  const fact = { name: "Country", value: "DE, AT" };
  return (
    <Section title="Paths" hint="Steps that are asked in order" actions={<Button small>Add</Button>}>
      <Steps
        label="Steps"
        steps={names.map((name) => ({
          ...{ id: name, name, state: Object.entries(states).find(([each]) => each === name)?.[1] },
          children: (
            <Row wrap>
              <FactChip {...fact} />
              <FactChip {...fact} verdict={name === "First" ? bad : good} onEdit={nothing} />
            </Row>
          ),
        }))}
        onMove={(from, to) => setNames(names.toSpliced(from, 1).toSpliced(to, 0, names[from] ?? ""))}
      />
      <SplitBar
        label="Shares"
        parts={weights.map((weight, at) => ({ id: `${at}`, name: `Page ${at + 1}`, weight }))}
        jointLabel={(before, after) => `Between ${before} and ${after}`}
        onChange={setWeights}
      />
      <Panel label="Edited in place" isFocused={false}>
        <Fields>
          <TextField label="Short" value="" onChange={nothing} />
          <TextField label="Also short" value="" onChange={nothing} />
        </Fields>
      </Panel>
      <FieldPairs>
        <TextField label="One of a pair" value="" onChange={nothing} />
        <TextField label="The other" value="" onChange={nothing} />
      </FieldPairs>
      <SideColumn label="Beside">What stands beside the main column.</SideColumn>
      <SaveBar label="Unsaved" error={null}>
        <Button kind="primary">Save</Button>
      </SaveBar>
    </Section>
  );
}
