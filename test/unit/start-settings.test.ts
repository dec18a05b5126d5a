/** Tests and benchmarks run the service with the memory settings with which it is deployed. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { MEMORY } from "@test/support/service-process";
import { scripts } from "../../package.json";

const dockerfile = await Bun.file(join(import.meta.dir, "../../Dockerfile")).text();

test.each(Object.entries(MEMORY))("the image and `bun start` set %s=%s", (name, value) => {
  expect(dockerfile).toMatch(new RegExp(`^ENV (.* )?${name}=${value}( |$)`, "m"));
  expect(scripts.start).toContain(` ${name}=${value} `);
});
