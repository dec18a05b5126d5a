/**
 * Decides which addresses an outbound request may go to: those of the public internet, and those that the operator
 * allows besides. IPv6 addresses that carry an IPv4 address (NAT64, 6to4, Teredo, compatible ones) are always
 * refused.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.process>;
type Network = [Address, number];

/** The part of IPv6 from which all addresses for use on the internet are assigned. */
const GLOBAL: Network = [ipaddr.IPv6.parse("2000::"), 3];
/** Public by its number, but Azure's own host service on every machine in Azure. */
const HOST_SERVICE = "168.63.129.16";

export type AddressClass = "public" | "allowed" | "refused";

/**
 * `allow` lists addresses and networks. Throws for a text that is neither, which the check of the settings rules out.
 */
export function createAddressCheck(allow: string[]): (address: string) => AddressClass {
  const allowed = allow.map(parseNetwork);
  return (text) => {
    const address = parseAddress(text);
    if (!address) return "refused";
    if (allowed.some((network) => isWithin(address, network))) return "allowed";
    return isPublic(address) ? "public" : "refused";
  };
}

/**
 * Returns undefined for anything that is not plainly one address; that includes addresses with a zone. An IPv4
 * address that is mapped into IPv6 is returned as IPv4.
 */
function parseAddress(text: string): Address | undefined {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text);
  // Brings it into its plain form first: the library takes `::1.2.3.4`, which is not a mapped address, for one.
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
