/** Reads server-sent events, strictly by the format, from a stream that may never end. */

export interface SeenEvent {
  event: string;
  id: string | undefined;
  data: unknown;
}

/** Starts reading immediately. The test's own timeout bounds every wait. */
export function readEvents({ body }: Response) {
  if (!body) throw new Error("The answer has no body");
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let isOver = false;
  let taken = 0;
  let arrived = Promise.withResolvers<void>();
  const reading = read();
  // `ended` reports the error to callers that wait for the end.
  reading.catch(() => {});

  async function read(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += decoder.decode(value, { stream: true });
        arrived.resolve();
        arrived = Promise.withResolvers();
      }
    } finally {
      isOver = true;
      arrived.resolve();
    }
  }

  async function until(condition: (text: string) => boolean): Promise<void> {
    while (!condition(text)) {
      if (isOver) throw new Error(`The stream has ended after ${JSON.stringify(text.slice(-200))}`);
      await arrived.promise;
    }
  }

  const seen = () => text.split("\n\n").slice(0, -1).flatMap(parsed);
  return {
    text: () => text,
    seen,
    until,
    /** Returns the next event of this name that was not returned yet, skipping events of other names before it. */
    async next(name: string): Promise<SeenEvent> {
      const find = () => seen().findIndex(({ event }, index) => index >= taken && event === name);
      await until(() => find() >= 0);
      taken = find() + 1;
      return seen()[taken - 1] as SeenEvent;
    },
    /** Resolves once the server has ended the stream cleanly. */
    ended: () => reading,
    close: () => reader.cancel(),
  };
}

function parsed(block: string): SeenEvent[] {
  const fields = new Map(
    block
      .split("\n")
      .filter((line) => !line.startsWith(":"))
      .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  );
  const [event, data] = [fields.get("event"), fields.get("data")];
  return event === undefined ? [] : [{ event, id: fields.get("id"), data: JSON.parse(data ?? "null") }];
}
