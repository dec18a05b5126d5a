/**
 * Commands and events of the DevTools protocol. The browser answers no command to a page that is closed or crashes, and
 * none once its process has ended. Such commands are rejected here instead: those that wait, and those sent later.
 */
export type Message = Record<string, unknown>;

export interface Wire {
  /** Rejects if the browser reports an error, if the session's page has ended, or if the browser has. */
  send(method: string, params?: Message, sessionId?: string): Promise<Message>;
  /** Calls the listener for each event of the session's page. A session has one listener. */
  listen(sessionId: string, listener: (method: string, params: Message) => void): void;
  /** Rejects once the session's page or the browser has ended. Never resolves. */
  untilEnd(sessionId: string): Promise<never>;
  /** Returns the commands of the session that have had no response yet. */
  unanswered(sessionId: string): string[];
}

interface Command {
  sessionId: string | undefined;
  method: string;
  params: Message;
  answered: PromiseWithResolvers<Message>;
}

export async function connectWire(url: string): Promise<Wire> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, Command>();
  const listeners = new Map<string, (method: string, params: Message) => void>();
  const ends = new Map<string, PromiseWithResolvers<never>>();
  /** Why a session has ended, and the whole browser under `undefined`. */
  const ended = new Map<string | undefined, Error>();
  let commands = 0;

  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  socket.onopen = () => resolve();
  socket.onerror = () => reject(new Error("Chromium cannot be reached"));
  socket.onclose = () => {
    end(undefined, new Error("Chromium has ended"));
    reject(new Error("Chromium cannot be reached"));
  };
  socket.onmessage = ({ data }) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(String(data));
    if (method === "Target.detachedFromTarget") end(params.sessionId, new Error(PAGE_CLOSED));
    if (method === "Inspector.targetCrashed") end(sessionId, new Error("The page has crashed"));
    if (method) return listeners.get(sessionId)?.(method, params);
    if (error) waiting.get(id)?.answered.reject(new Error(error.message));
    else waiting.get(id)?.answered.resolve(result);
    waiting.delete(id);
  };
  await opened;

  return {
    listen: (sessionId, listener) => listeners.set(sessionId, listener),
    send(method, params = {}, sessionId) {
      const end = ended.get(undefined) ?? ended.get(sessionId);
      if (end) return Promise.reject(end);
      const answered = Promise.withResolvers<Message>();
      const id = ++commands;
      waiting.set(id, { sessionId, method, params, answered });
      socket.send(JSON.stringify({ id, method, params, sessionId }));
      return answered.promise;
    },
    untilEnd(sessionId) {
      const error = ended.get(undefined) ?? ended.get(sessionId);
      if (error) return Promise.reject(error);
      const end = ends.get(sessionId) ?? Promise.withResolvers<never>();
      ends.set(sessionId, end);
      return end.promise;
    },
    unanswered: (sessionId) =>
      [...waiting.values()]
        .filter((command) => command.sessionId === sessionId)
        .map(({ method, params }) => `${method} ${JSON.stringify(params)}`),
  };

  /** Without a session, everything has ended. */
  function end(sessionId: string | undefined, error: Error): void {
    ended.set(sessionId, error);
    for (const [id, command] of waiting) {
      if (sessionId !== undefined && command.sessionId !== sessionId) continue;
      command.answered.reject(error);
      waiting.delete(id);
    }
    for (const [session, end] of ends) if (sessionId === undefined || session === sessionId) end.reject(error);
  }
}

/** As Chromium says it of a command that is sent later. */
const PAGE_CLOSED = "Session with given id not found.";
