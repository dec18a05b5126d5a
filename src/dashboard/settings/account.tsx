/** The user's own account: its sign-in methods and its sessions. */
import { useSession } from "../shell/session";
import { Card, Columns, Stack, Text } from "../ui/layout";
import { Sessions } from "./sessions";
import { TwoFactor } from "./two-factor";
import { settingsWords as words } from "./words";

export default function Account() {
  const { account: said } = words.settings;
  const sendsMail = useSession().data?.sendsMail ?? true;
  return (
    <Columns>
      <Sessions />
      <Stack>
        <TwoFactor />
        <Card title={said.password}>
          <Text>{sendsMail ? <a href="/app/reset-password">{said.resetPassword}</a> : said.noMail}</Text>
        </Card>
      </Stack>
    </Columns>
  );
}
