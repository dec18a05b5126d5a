/** A DNS server on loopback whose answers a test sets, and that fails for the names it is told to. */
import { afterAll } from "bun:test";
import DNS from "dns2";
import type { RecordType } from "@/contract/domains";
import { findFreePort } from "@/platform/db/embedded/free-port";

export type DnsFault = "servfail" | "refused" | "silent";

export interface TestDns {
  /** For `DNS_SERVERS`. */
  address: string;
  /** The records of a name from now on; none: the name has none of this type. */
  set(type: RecordType, name: string, ...values: string[]): void;
  fail(name: string, fault: DnsFault): void;
  heal(name: string): void;
  /** How often it was asked. */
  asked(): number;
}

const { Packet } = DNS;
const RCODES = { servfail: Packet.RCODE.SERVFAIL, refused: Packet.RCODE.REFUSED };
const TXT_PART_LENGTH = 255;

/** Ends with the test file that started it. */
export async function startTestDns(): Promise<TestDns> {
  const records = new Map<string, string[]>();
  const faults = new Map<string, DnsFault>();
  const keyOf = (type: number, name: string) => `${type} ${name.toLowerCase()}`;
  let asked = 0;
  const server = DNS.createServer({
    udp: true,
    // For answers that no datagram holds.
    tcp: true,
    handle(request, send) {
      const response = Packet.createResponseFromRequest(request);
      const [question] = request.questions;
      if (!question) return;
      asked++;
      const { name } = question;
      const type = Number(question.type);
      const fault = faults.get(name.toLowerCase());
      if (fault === "silent") return;
      if (fault) response.header.rcode = RCODES[fault];
      const isKnown = [...records.keys()].some((key) => key.endsWith(` ${name.toLowerCase()}`));
      if (!fault && !isKnown) response.header.rcode = Packet.RCODE.NXDOMAIN;
      const values = fault ? [] : (records.get(keyOf(type, name)) ?? []);
      const common = { name, type, class: Packet.CLASS.IN, ttl: 300 };
      response.answers.push(...values.map((value) => new Packet.Resource({ ...common, ...dataOf(type, value) })));
      send(response);
    },
  });
  const port = await findFreePort();
  await server.listen({ udp: { port, address: "127.0.0.1" }, tcp: { port, address: "127.0.0.1" } });
  afterAll(() => server.close());
  return {
    address: `127.0.0.1:${port}`,
    set(type, name, ...values) {
      if (values.length > 0) records.set(keyOf(Packet.TYPE[type], name), values);
      else records.delete(keyOf(Packet.TYPE[type], name));
    },
    fail: (name, fault) => void faults.set(name, fault),
    heal: (name) => void faults.delete(name),
    asked: () => asked,
  };
}

/** A text as long as one part may not be comes in several. */
function dataOf(type: number, value: string) {
  if (type === Packet.TYPE.TXT) return { data: value.match(new RegExp(`.{1,${TXT_PART_LENGTH}}`, "g")) ?? [""] };
  return type === Packet.TYPE.CNAME ? { domain: value } : { address: value };
}
