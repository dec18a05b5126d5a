/** One's own account: how one signs in, and where one is signed in. */
import { Card, Columns, Stack, Text } from "../ui/layout";
import { words } from "../words";
import { Sessions } from "./sessions";
import { TwoFactor } from "./two-factor";

export default function Account() {
  const { account: said } = words.settings;
  return (
    <Columns>
      <Sessions />
      <Stack>
        <TwoFactor />
        <Card title={said.password}>
          <Text>
            <a href="/app/reset-password">{said.resetPassword}</a>
          </Text>
        </Card>
      </Stack>
    </Columns>
  );
}
