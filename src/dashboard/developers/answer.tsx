import type { Schemas } from "../api/client";
import { CopyText } from "../ui/button";
import { Pairs } from "../ui/data";
import { countText } from "../ui/format";
import { CodeBlock, Heading } from "../ui/layout";
import { developersWords as words } from "./words";

/** The body of a message. It may be shown formatted, but is copied exactly as it was signed. */
export const Sent = ({ body }: { body: string }) => (
  <CopyText label={words.developers.webhooks.body} text={body} shown={JSON.stringify(JSON.parse(body), null, 2)} />
);

type Outcome = Pick<Schemas["WebhookDelivery"], "responseStatus" | "responseBody" | "error" | "durationMs">;

/** The response of an endpoint, or why there was none. */
export function Answer({ of: { responseStatus, responseBody, error, durationMs } }: { of: Outcome }) {
  const { webhooks: said } = words.developers;
  return (
    <>
      <Heading>{said.answer}</Heading>
      <Pairs
        of={[
          ...(responseStatus === undefined ? [] : [[said.status, String(responseStatus)] as const]),
          ...(durationMs === undefined ? [] : [[said.duration, said.milliseconds(countText(durationMs))] as const]),
          ...(error === undefined ? [] : [[said.error, error] as const]),
        ]}
      />
      {responseBody ? <CodeBlock>{responseBody}</CodeBlock> : null}
    </>
  );
}
