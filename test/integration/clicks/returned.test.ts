import { afterEach, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { ClickDatabase, ConnectionLostError } from "@/clicks/writer/click-database";

let end: (() => Promise<void>) | undefined;
afterEach(() => end?.());

test("hurry() rejects a read still waiting for a connection from the outage, but not one in progress", async () => {
  const database = await createDatabase();
  const url = new URL(database.url);
  const proxy = await TcpProxy.start(Number(url.port));
  url.port = String(proxy.port);
  const clicks = new ClickDatabase(url.href);
  end = async () => {
    await clicks.close();
    await proxy.cut();
    await database.drop();
  };
  const answer = () => clicks.inTime(() => clicks.reader.unsafe<{ one: number }[]>("select 1 as one"));
  expect([...(await answer())]).toEqual([{ one: 1 }]);

  proxy.silence();
  clicks.reset();
  const waiting = answer();
  await proxy.open();
  clicks.hurry();
  expect(waiting).rejects.toThrow(ConnectionLostError);
  await waiting.catch(() => undefined);
  expect([...(await answer())]).toEqual([{ one: 1 }]);

  const begun = clicks.inTime(async () => {
    await clicks.reader.unsafe("select 1");
    clicks.hurry();
    return clicks.reader.unsafe<{ one: number }[]>("select 1 as one");
  });
  expect([...(await begun)]).toEqual([{ one: 1 }]);
});
