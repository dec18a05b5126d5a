/** Two-factor authentication: turned on with an authenticator app, turned off with the password and a code. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useChange } from "../api/changes";
import { api, signInUrl, unwrap } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import { oncePerAnswer } from "../shell/api-queries";
import { useDialog } from "../shell/dialogs";
import { showSecret } from "../shell/secret";
import { Button } from "../ui/button";
import { Failure, Notice, Skeleton } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/field";
import { Card, Code, Picture, Row, Stack, Text } from "../ui/layout";
import { settingsWords as words } from "./words";

const KEY = ["two-factor"];

export function TwoFactor() {
  const { twoFactor: said } = words.settings;
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => unwrap(api.GET("/api/v1/auth/2fa", { signal })),
  });
  const [dialog, open, close] = useDialog("two-factor");
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return (
    <Card title={said.title}>
      <Stack gap={3}>
        <Text>{data.enabled ? said.isOn : said.isOff}</Text>
        <div>
          <Button kind={data.enabled ? undefined : "primary"} onClick={() => open(data.enabled ? "off" : "on")}>
            {data.enabled ? said.turnOff : said.turnOn}
          </Button>
        </div>
      </Stack>
      {dialog === "on" ? <TurnOn onClose={close} /> : null}
      {dialog === "off" && data.enabled ? <TurnOff onClose={close} /> : null}
    </Card>
  );
}

function TurnOn({ onClose }: { onClose(): void }) {
  const { twoFactor: said } = words.settings;
  const client = useQueryClient();
  const [code, setCode] = useState("");
  const setup = useQuery({
    queryKey: [...KEY, "setup"],
    queryFn: () => unwrap(api.POST("/api/v1/auth/2fa/setup")),
    // Each request makes another secret, and the codes of the one already scanned would be wrong.
    staleTime: oncePerAnswer,
    gcTime: 0,
    retry: false,
  });
  const enable = useChange({
    mutationFn: () => unwrap(api.POST("/api/v1/auth/2fa/enable", { body: { code: code.trim() } })),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY, exact: true }),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    enable.mutate(undefined, { onSuccess: showRecoveryCodes, goOn: onClose });
  };
  const alert = otherFaults(enable.error, ["code"]);
  return (
    <Dialog title={said.turningOn} onClose={onClose} isBusy={enable.isPending}>
      {setup.error ? <Failure error={setup.error} onRetry={() => void setup.refetch()} /> : null}
      {setup.isPending ? <Skeleton /> : null}
      {setup.data ? (
        <form onSubmit={send}>
          <Stack>
            {alert ? <Notice tone="bad">{alert}</Notice> : null}
            <Text soft>{said.ends.on}</Text>
            <p>{said.scan}</p>
            <Picture src={setup.data.qrCodeDataUrl} alt={said.picture} />
            <Text small>
              {said.byHand} <Code>{setup.data.secret}</Code>
            </Text>
            <TextField
              {...{ label: said.code, value: code, onChange: setCode, fault: faultsOf(enable.error).code }}
              inputMode="numeric"
              autoComplete="one-time-code"
              required
            />
            <Row>
              <Button type="submit" kind="primary" busy={enable.isPending}>
                {said.turnOn}
              </Button>
            </Row>
          </Stack>
        </form>
      ) : null}
    </Dialog>
  );
}

function showRecoveryCodes({ recoveryCodes }: { recoveryCodes: readonly string[] }): void {
  const { twoFactor: said } = words.settings;
  showSecret({
    ...{ title: said.on, text: said.keepCodes, label: said.recoveryCodes, secret: recoveryCodes.join("\n") },
    children: (
      <Row>
        <Button icon={Printer} onClick={() => print()}>
          {said.print}
        </Button>
      </Row>
    ),
  });
}

function TurnOff({ onClose }: { onClose(): void }) {
  const { twoFactor: said } = words.settings;
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const disable = useChange({
    mutationFn: () => unwrap(api.POST("/api/v1/auth/2fa/disable", { body: { password, code: code.trim() } })),
  });
  if (disable.isSuccess) return <SignedOutEverywhere onClose={onClose} />;
  const send = (event: FormEvent) => {
    event.preventDefault();
    disable.mutate();
  };
  const faults = faultsOf(disable.error);
  const alert = otherFaults(disable.error, ["password", "code"]);
  return (
    <Dialog title={said.turningOff} onClose={onClose} isBusy={disable.isPending}>
      <form onSubmit={send}>
        <Stack>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <Text soft>{said.ends.off}</Text>
          <TextField
            {...{ label: said.password, value: password, onChange: setPassword, fault: faults.password }}
            type="password"
            autoComplete="current-password"
            required
          />
          <TextField
            {...{ label: said.anyCode, value: code, onChange: setCode, fault: faults.code }}
            autoComplete="one-time-code"
            required
          />
          <Row>
            <Button type="submit" kind="danger" busy={disable.isPending}>
              {said.turnOff}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}

/** All sessions have ended, this one too, so that the page has nothing more to show. */
function SignedOutEverywhere({ onClose }: { onClose(): void }) {
  const { twoFactor: said } = words.settings;
  const leave = () => {
    onClose();
    location.assign(signInUrl());
  };
  return (
    <Dialog
      title={said.off}
      onClose={leave}
      foot={
        <Button kind="primary" onClick={leave}>
          {said.signInAgain}
        </Button>
      }
    >
      <p>{said.signedOut}</p>
    </Dialog>
  );
}
