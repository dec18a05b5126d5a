/** Shows the files by which phones recognize an app, generated from the form in the same way as the service does. */
import { appleAssociation } from "@/core/association/apple";
import { assetLinks } from "@/core/association/google";
import { useDomains } from "../links/domains";
import { LinkButton, OutLink } from "../ui/button";
import { Card, CodeBlock, Heading, Row, Stack, Text } from "../ui/layout";
import { type AppDraft, appBody } from "./draft";
import { appsWords as words } from "./words";

const textOf = (value: unknown): string => JSON.stringify(value, null, 2);

export function Association({ draft }: { draft: AppDraft }) {
  const { association } = words.apps;
  const { pathPrefix, ios, android } = appBody(draft);
  const source = { profiles: [{ pathPrefix, ios, android }], appConfig: {}, excludedPaths: [], isCaseSensitive: false };
  const { details } = appleAssociation(source).applinks;
  const statements = assetLinks(source);
  return (
    <Card title={association.title}>
      <Stack>
        <Text soft>{association.text}</Text>
        <Stack gap={2}>
          <Heading>{association.apple}</Heading>
          {details.length > 0 ? <CodeBlock>{textOf(details)}</CodeBlock> : <Text soft>{association.noApple}</Text>}
        </Stack>
        <Stack gap={2}>
          <Heading>{association.google}</Heading>
          {statements.length > 0 ? (
            <CodeBlock>{textOf(statements)}</CodeBlock>
          ) : (
            <Text soft>{association.noGoogle}</Text>
          )}
        </Stack>
        <Served />
      </Stack>
    </Card>
  );
}

function Served() {
  const { association } = words.apps;
  const { data } = useDomains();
  if (!data) return null;
  const domains = data.filter(({ isVerified }) => isVerified);
  if (domains.length === 0) {
    return (
      <Stack gap={2}>
        <Text>{association.noDomain}</Text>
        <Row>
          <LinkButton to="/domains" small>
            {association.toDomains}
          </LinkButton>
        </Row>
      </Stack>
    );
  }
  return (
    <Stack gap={2}>
      <Heading>{association.served}</Heading>
      {domains.map(({ _id, hostname }) => (
        <Stack key={_id} gap={1}>
          <Text foreign>{hostname}</Text>
          <Row wrap gap={3}>
            {[association.apple, association.google].map((file) => (
              <OutLink
                key={file}
                href={`https://${hostname}/.well-known/${file}`}
                label={association.of(file, hostname)}
              >
                {file}
              </OutLink>
            ))}
          </Row>
        </Stack>
      ))}
    </Stack>
  );
}
