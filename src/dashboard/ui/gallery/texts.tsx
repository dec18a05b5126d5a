/** Texts. */
import { Keys, Pairs } from "../data";
import { clockText, countText, dayText, durationText, momentText, monthText, percentText, shortCount } from "../format";
import { AppIcon, Card, Code, CodeBlock, Figure, Heading, Stack, Text } from "../layout";

/** An embedded icon, so that the gallery needs no request for it. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'%3E%3Crect width='1' height='1'/%3E%3C/svg%3E";

const AT = Date.UTC(2026, 0, 31, 12);

export const TextParts = () => (
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
