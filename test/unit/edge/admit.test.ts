/** The order in which a visit is admitted: nothing is checked that would not matter, and a place is taken last. */
import { describe, expect, test } from "bun:test";
import { linkDefinition } from "@test/bench/subject";
import { compileLink } from "@/core/routing/compiled-link";
import type { LinkGate } from "@/core/routing/link";
import { createAdmit } from "@/edge/admit";
import { Hit } from "@/edge/hit";

const PASSWORD = { passwordHash: "$argon2id$" };
const PLACES = { maxClicks: 2 };

function linkWith(gate: Partial<LinkGate>) {
  const definition = linkDefinition(0);
  return compileLink({ ...definition, gate: { ...definition.gate, ...gate } });
}

async function admitted(gate: Partial<LinkGate>, { takesPlace = true, password = "right", left = 1 } = {}) {
  const asked: string[] = [];
  const admit = createAdmit({
    checkPassword: async () => {
      asked.push("password");
      return password === "right" ? "correct" : "incorrect";
    },
    clickLimit: {
      hasRoom: async () => asked.push("room") > 0 && left > 0,
      admit: async () => asked.push("place") > 0 && left > 0,
    },
  });
  const hit = new Hit(new Request("https://go.example.com/x"), null, "", 0, () => "");
  const refused = await admit(linkWith(gate), hit, { takesPlace, password: () => password });
  return [refused?.reason ?? "let in", ...asked];
}

describe("a visit is admitted", () => {
  test("immediately by a link without conditions", async () => {
    expect(await admitted({})).toEqual(["let in"]);
  });

  test("after checking the password", async () => {
    expect(await admitted(PASSWORD)).toEqual(["let in", "password"]);
  });

  test("after taking a place, if that is the only condition", async () => {
    expect(await admitted(PLACES)).toEqual(["let in", "place"]);
  });

  test("after checking the room and the password and taking a place, in this order", async () => {
    expect(await admitted({ ...PASSWORD, ...PLACES })).toEqual(["let in", "room", "password", "place"]);
  });

  test("without taking a place if it does not use one", async () => {
    expect(await admitted({ ...PASSWORD, ...PLACES }, { takesPlace: false })).toEqual(["let in", "room", "password"]);
  });
});

describe("a visit is refused", () => {
  test("without any check if the link is inactive", async () => {
    expect(await admitted({ ...PASSWORD, ...PLACES, isActive: false })).toEqual(["inactive"]);
  });

  test("without hashing the password if no room is left", async () => {
    expect(await admitted({ ...PASSWORD, ...PLACES }, { left: 0 })).toEqual(["max_clicks_reached", "room"]);
  });

  test("without taking a place if the password is wrong", async () => {
    const asked = await admitted({ ...PASSWORD, ...PLACES }, { password: "wrong" });
    expect(asked).toEqual(["password_incorrect", "room", "password"]);
  });

  test("if another visit took the last place", async () => {
    expect(await admitted(PLACES, { left: 0 })).toEqual(["max_clicks_reached", "place"]);
  });
});
