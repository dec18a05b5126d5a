/** Kutt: the objects of its API. */
import { oldAddress, parseOldAddress } from "../addresses";
import { endedRoute } from "../device-rules";
import { buildOldRecord, isoOf, TURNED_OFF, unreadFields } from "../fitting";
import { type LinkOrigin, leadsTo } from "../source";

export const kutt: LinkOrigin = {
  name: "kutt",
  title: "Kutt",
  isItem: (item) => item.text("address") !== undefined && item.text("target") !== undefined,
  read(record) {
    const [link, key] = [record.text("link"), record.text("address")];
    return buildOldRecord({
      address: link ? parseOldAddress(link) : key ? oldAddress(record.text("domain"), key) : undefined,
      written: link ?? key ?? "",
      destination: record.text("target"),
      fields: {
        title: record.text("description"),
        expiresAt: isoOf(record.instant("expire_in")),
        ...(record.flag("banned") && TURNED_OFF),
      },
      createdAt: record.instant("created_at"),
      clicksBefore: record.count("visit_count"),
      dropped: unreadFields(record, { instants: ["created_at", "expire_in"], counts: ["visit_count"] }),
      passwordLostBy: record.hasPassword() ? "Kutt" : undefined,
    });
  },
  routeOf(record, visitor) {
    if (record.hasPassword()) return null;
    if (record.flag("banned")) return { ended: true };
    return endedRoute({ expiresAt: record.instant("expire_in") }, visitor) ?? leadsTo(record.text("target"));
  },
};
