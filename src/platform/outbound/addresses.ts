/**
 * Which addresses a request of ours may go to: those of the public internet, and what the operator allows besides.
 * Addresses of IPv6 that carry one of IPv4 (NAT64, 6to4, Teredo, compatible ones) are refused whole.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.process>;
type Network = [Address, number];

/** Of IPv6, all that is given out for use on the internet. */
const GLOBAL: Network = [ipaddr.IPv6.parse("2000::"), 3];
/** Public by its number, yet Azure's own host service wherever a machine stands in it. */
const HOST_SERVICE = "168.63.129.16";

export type AddressClass = "public" | "allowed" | "refused";

/** `allow`: addresses and networks. Throws for a text that is neither; the settings have been checked. */
export function createAddressCheck(allow: string[]): (address: string) => AddressClass {
  const allowed = allow.map(parseNetwork);
  return (text) => {
    const address = parseAddress(text);
    if (!address) return "refused";
    if (allowed.some((network) => isWithin(address, network))) return "allowed";
    return isPublic(address) ? "public" : "refused";
  };
}

/** Undefined for all that is not plainly one address, zones among them. IPv4 within IPv6 is read as IPv4 where it is mapped. */
function parseAddress(text: string): Address | undefined {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text);
  // In its plain form: the library takes `::1.2.3.4`, which is no mapped address, for one.
  const plain = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  return isIP(text) === 6 && plain ? ipaddr.process(plain) : undefined;
}

function parseNetwork(text: string): Network {
  if (text.includes("/")) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.toByteArray().length * 8];
}

const isWithin = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" ? address.toString() !== HOST_SERVICE : isWithin(address, GLOBAL);
}
