/** A DNS server on loopback whose records a test sets. It can be made to fail for single names. */
import { afterAll } from "bun:test";
import { takePort } from "@test/support/servers/test-port";
import DNS from "dns2";
import type { RecordType } from "@/contract/domains";

export type DnsFault = "servfail" | "refused" | "silent";

export interface TestDns {
  /** Value for the setting `DNS_SERVERS`. */
  address: string;
  /** Replaces the name's records of this type. Without values, removes them. */
  set(type: RecordType, name: string, ...values: string[]): void;
  fail(name: string, fault: DnsFault): void;
  heal(name: string): void;
  /** Returns the number of queries received. */
  asked(): number;
}

const { Packet } = DNS;
const RCODES = { servfail: Packet.RCODE.SERVFAIL, refused: Packet.RCODE.REFUSED };
const TXT_PART_LENGTH = 255;

/** Starts a server that closes after the test file. */
export async function startTestDns(): Promise<TestDns> {
  const records = new Map<string, string[]>();
  const faults = new Map<string, DnsFault>();
  const keyOf = (type: number, name: string) => `${type} ${name.toLowerCase()}`;
  let asked = 0;
  const server = DNS.createServer({
    udp: true,
    // For responses that do not fit into a datagram.
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
  const port = await takePort();
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

/** Splits TXT values into strings of at most 255 characters. */
function dataOf(type: number, value: string) {
  if (type === Packet.TYPE.TXT) return { data: value.match(new RegExp(`.{1,${TXT_PART_LENGTH}}`, "g")) ?? [""] };
  return type === Packet.TYPE.CNAME ? { domain: value } : { address: value };
}
