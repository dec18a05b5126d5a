import { MailWarning } from "lucide-react";
import { useChange } from "../api/changes";
import { api, unwrap } from "../api/client";
import { failureText } from "../api/failures";
import { Button } from "../ui/button";
import { Notice } from "../ui/data";
import { Row } from "../ui/layout";
import { toast } from "../ui/toasts";
import { words } from "../words";

/** Shown until the account's email address is confirmed. */
export function AskToConfirm() {
  const send = useChange({
    mutationFn: () => unwrap(api.POST("/api/v1/auth/verify-email/resend")),
    onSuccess: () => toast({ text: words.shell.confirmSent }),
    onError: (error) => toast({ text: failureText(error), isFailure: true }),
  });
  return (
    <Notice tone="warn" icon={MailWarning}>
      <Row wrap apart gap={3}>
        <span>{words.shell.confirmEmail}</span>
        <Button small busy={send.isPending} onClick={() => send.mutate()}>
          {words.shell.confirmAgain}
        </Button>
      </Row>
    </Notice>
  );
}
