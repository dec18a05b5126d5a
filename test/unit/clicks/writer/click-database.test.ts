import { afterAll, expect, test } from "bun:test";
import { ClickDatabase, TookTooLongError } from "@/clicks/writer/click-database";

/** The tests never connect to this database. */
const openDatabase = () => {
  const database = new ClickDatabase("postgres://nobody@127.0.0.1:1/nothing", 20);
  afterAll(() => database.close());
  return database;
};

test("work that never settles is abandoned at its time limit", async () => {
  const never = new Promise<void>(() => undefined);
  await expect(openDatabase().inTime(() => never)).rejects.toBeInstanceOf(TookTooLongError);
});

test("work that fails within its time rejects with its own error", async () => {
  const work = () => Promise.reject(new Error("The table is missing."));
  await expect(openDatabase().inTime(work)).rejects.toThrow("The table is missing.");
});
